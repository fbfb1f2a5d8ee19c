;;; recapd.el --- Where your conversations with coding agents stand -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience

;;; Commentary:

;; recapd reads the logs that coding agents write and tells where each conversation stands.
;;
;;   M-x recapd            the recap of this project's latest session, in a buffer that follows it live
;;   M-x recapd-sessions   choose a session, those that need you first; with a prefix of all folders
;;   M-x recapd-decisions  what was decided
;;   M-x recapd-why        which turn wrote the line at point, and what was asked and decided then
;;   M-x recapd-why-mode   the same by ElDoc, wherever point rests
;;
;; Needs the command `recapd' and nothing else: it speaks to the daemon by the jsonrpc that comes with Emacs, on a
;; connection of its own, beside the language server that eglot keeps for a buffer.  Where there is none, eglot takes
;; recapd itself: `recapd-eglot' gives hover, outlines of logs and symbols as LSP has them.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'project)
(require 'subr-x)
(require 'url-util)

(declare-function eglot "eglot")
(defvar eglot-server-programs)

(defgroup recapd nil
  "Where your conversations with coding agents stand."
  :group 'tools)

(defcustom recapd-command '("recapd" "connect")
  "What speaks to the daemon on stdin and stdout."
  :type '(repeat string))

(defcustom recapd-timeout 60
  "Seconds after which an answer is no longer waited for.
The first may have to start the daemon."
  :type 'number)

(defface recapd-heading '((t :inherit font-lock-keyword-face :weight bold))
  "Headings of a recap.")
(defface recapd-headline '((t :inherit bold))
  "How a session stands.")
(defface recapd-turn '((t :inherit link :underline nil))
  "The number of a turn.")
(defface recapd-note '((t :inherit shadow))
  "What is said beside a statement.")
(defface recapd-failed '((t :inherit error))
  "What failed.")

(defconst recapd--states
  '(("active" . "working") ("waiting" . "needs you") ("answered" . "your turn") ("interrupted" . "broke off"))
  "How a session stands, for people.")
(defconst recapd--sides '(("user" . "you") ("collaborative" . "together"))
  "Who decided something, for people.")

;;;; The connection: one for all buffers, made when it is first needed, and again when it is lost

(defconst recapd--not-ready 1005
  "The log is still being read; the answer says when to ask again.")
(defconst recapd--most-tries 100
  "So often what is not ready is asked for.")
(defconst recapd--passing-exits '(0 1 5)
  "Exit codes of `recapd connect' after which another try may help.")
(defconst recapd--rest 1
  "Seconds before a connection that was lost is made again.")

(defvar recapd--connection nil)
(defvar recapd--followers nil
  "Subscriptions, each (NAME SELECTOR . FUNCTION).")
(defvar recapd--count 0)

(defun recapd--connected ()
  "The connection to the daemon, which is started where none runs."
  (unless (and recapd--connection (jsonrpc-running-p recapd--connection))
    (unless (executable-find (car recapd-command))
      (user-error "The command %s was not found; see `recapd-command'" (car recapd-command)))
    (setq recapd--connection
          (apply #'make-instance 'jsonrpc-process-connection
                 :name "recapd"
                 :process #'recapd--start
                 :notification-dispatcher #'recapd--notified
                 :on-shutdown #'recapd--lost
                 ;; What was said in sessions is not kept in a buffer besides; the argument has two names.
                 (if (slot-exists-p 'jsonrpc-connection '-events-buffer-config)
                     '(:events-buffer-config (:size 0))
                   '(:events-buffer-scrollback-size 0)))))
  recapd--connection)

(defun recapd--start ()
  "Start what speaks to the daemon, here and in a folder that nobody deletes."
  (let ((default-directory (expand-file-name "~/")))
    (make-process :name "recapd" :command recapd-command :connection-type 'pipe :coding 'utf-8-emacs-unix
                  :noquery t :stderr (get-buffer-create "*recapd stderr*"))))

(defun recapd--notified (_connection method params)
  "Hand PARAMS of a notification METHOD to whoever follows."
  (when (eq method 'recap/didChange)
    (when-let ((follower (assoc (plist-get params :subscriptionId) recapd--followers)))
      (funcall (cddr follower)))))

(defun recapd--lost (connection)
  "After CONNECTION ended, whoever follows something asks again.
That starts the daemon where it is gone."
  (when (and recapd--followers
             (memq (process-exit-status (jsonrpc--process connection)) recapd--passing-exits))
    (run-at-time recapd--rest nil
                 (lambda ()
                   (pcase-dolist (`(,name ,selector . ,changed) recapd--followers)
                     (recapd--subscribe name selector)
                     (funcall changed))))))

(cl-defun recapd--ask (method params answered &key failed (tries 0))
  "Ask METHOD with PARAMS and call ANSWERED with the result.
What goes wrong is told in a sentence, unless FAILED takes it.
TRIES counts how often it was not ready."
  (let ((failed (or failed (lambda (sentence) (message "recapd: %s" sentence)))))
    (jsonrpc-async-request
     (recapd--connected) method params
     :timeout recapd-timeout
     :success-fn answered
     :timeout-fn (lambda () (funcall failed "The daemon does not answer."))
     :error-fn
     (lambda (problem)
       (if (and (eql (plist-get problem :code) recapd--not-ready) (< tries recapd--most-tries))
           (run-at-time (/ (or (plist-get (plist-get problem :data) :retryAfterMs) 200) 1000.0) nil
                        (lambda () (recapd--ask method params answered :failed failed :tries (1+ tries))))
         (funcall failed (plist-get problem :message)))))))

(defun recapd--subscribe (name selector)
  "Ask to be told under NAME of changes in what SELECTOR means."
  (recapd--ask :recap/subscribe `(:subscriptionId ,name :selector ,selector) #'ignore :failed #'ignore))

(defun recapd--follow (selector changed)
  "Call CHANGED whenever a session changes that SELECTOR means.
The name that is returned ends it."
  (let ((name (format "emacs-%d-%d" (emacs-pid) (cl-incf recapd--count))))
    (push `(,name ,selector . ,changed) recapd--followers)
    (recapd--subscribe name selector)
    name))

(defun recapd--unfollow (name)
  "End the subscription NAME."
  (setq recapd--followers (assoc-delete-all name recapd--followers))
  (when (and recapd--connection (jsonrpc-running-p recapd--connection))
    (recapd--ask :recap/unsubscribe `(:subscriptionId ,name) #'ignore :failed #'ignore)))

;;;; Words

(defun recapd--folder ()
  "The folder of the project at hand, on this machine."
  (let ((folder (if-let ((project (project-current))) (project-root project) default-directory)))
    (when (file-remote-p folder)
      (user-error "recapd follows the agents of this machine, and %s is on another" folder))
    (directory-file-name (expand-file-name folder))))

(defun recapd--age (at)
  "How long ago AT was, a time as the daemon writes it."
  (if (not at) ""
    (let ((minutes (max 0 (floor (float-time (time-subtract nil (date-to-time at))) 60))))
      (cond ((< minutes 60) (format "%d min" minutes))
            ((< minutes (* 60 48)) (format "%d h" (/ minutes 60)))
            (t (format "%d d" (/ minutes 1440)))))))

(defun recapd--number (object field)
  "The number in FIELD of OBJECT; what is zero may be left out."
  (or (plist-get object field) 0))

(defun recapd--count-of (count noun)
  "COUNT and NOUN, in the plural where there are several."
  (format "%d %s%s" count noun (if (= count 1) "" "s")))

(defun recapd--path (uri)
  "The path that a file URI names, nil for any other."
  (when (string-prefix-p "file://" uri)
    (decode-coding-string (url-unhex-string (substring uri (length "file://"))) 'utf-8)))

;;;; A page: the statements of a recap, each with its turn

(defvar-local recapd--selector nil "The session that is shown, as the protocol names one.")
(defvar-local recapd--format nil "The shape of the recap.")
(defvar-local recapd--subscription nil "The subscription of this buffer.")
(defvar-local recapd--session nil "The id of the session that is shown.")
(defvar-local recapd--waits nil "Whether an answer is waited for; `again' where another is due after it.")

(defvar recapd-page-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'recapd-visit)
    (define-key map (kbd "n") #'recapd-next)
    (define-key map (kbd "p") #'recapd-previous)
    (define-key map (kbd "s") #'recapd-sessions)
    (define-key map (kbd "d") #'recapd-decisions)
    map)
  "Keys of `recapd-page-mode'; those of `special-mode' count too.")

(define-derived-mode recapd-page-mode special-mode "Recap"
  "What a session came to, statement by statement, kept up to date.
In front of each stands its turn; \\[recapd-visit] shows that turn, or
the file that a line is about.

\\{recapd-page-mode-map}"
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (recapd--refresh)))
  (setq-local bidi-paragraph-direction 'left-to-right)
  (add-hook 'kill-buffer-hook #'recapd--leave nil t))

(defun recapd--leave ()
  "Follow no longer what this buffer shows."
  (when recapd--subscription
    (recapd--unfollow recapd--subscription)
    (setq recapd--subscription nil)))

(defun recapd--show (name selector format &optional workspace)
  "Show in the buffer NAME, kept up to date, what SELECTOR means, in FORMAT.
With WORKSPACE it is the latest of that folder, whichever that becomes."
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (unless (derived-mode-p 'recapd-page-mode)
        (recapd-page-mode)
        (let ((inhibit-read-only t)) (insert "…")))
      (setq recapd--selector selector
            recapd--format format)
      (unless recapd--subscription
        (setq recapd--subscription
              (recapd--follow (if workspace `(:workspace ,workspace) `(:session ,selector))
                              (lambda ()
                                (when (buffer-live-p buffer)
                                  (with-current-buffer buffer (recapd--refresh)))))))
      (recapd--refresh))
    (pop-to-buffer buffer)))

(defun recapd--refresh ()
  "Ask again for what this buffer shows, once no answer is waited for."
  (if recapd--waits (setq recapd--waits 'again)
    (setq recapd--waits t)
    (let ((buffer (current-buffer)))
      (cl-flet ((fill (write)
                  (when (buffer-live-p buffer)
                    (with-current-buffer buffer
                      (let ((is-due (eq recapd--waits 'again)))
                        (setq recapd--waits nil)
                        (recapd--write write)
                        (when is-due (recapd--refresh)))))))
        (condition-case problem
            (recapd--ask :recap/get `(:session ,recapd--selector :format ,recapd--format)
                         (lambda (result) (fill (lambda () (recapd--insert-recap result))))
                         :failed (lambda (sentence) (fill (lambda () (recapd--insert-problem sentence)))))
          (error (setq recapd--waits nil)
                 (signal (car problem) (cdr problem))))))))

(defun recapd--write (write)
  "Fill the buffer by WRITE; whoever reads it stays at their statement."
  (let* ((windows (get-buffer-window-list nil nil t))
         (places (mapcar (lambda (window)
                           (list window (recapd--place (window-point window)) (recapd--place (window-start window))))
                         windows))
         (own (recapd--place (point)))
         (inhibit-read-only t))
    (erase-buffer)
    (funcall write)
    (goto-char (recapd--find own))
    (pcase-dolist (`(,window ,point ,start) places)
      (set-window-start window (recapd--find start) t)
      (set-window-point window (recapd--find point)))))

(defun recapd--place (at)
  "Where AT is: the id of a statement and how far into it, else the line."
  (save-excursion
    (goto-char at)
    (let ((id (get-text-property (line-beginning-position) 'recapd-id)))
      (list id (- at (line-beginning-position)) (line-number-at-pos at)))))

(defun recapd--find (place)
  "Where PLACE, which `recapd--place' made, is now."
  (pcase-let ((`(,id ,column ,line) place))
    (save-excursion
      (goto-char (point-min))
      (let ((found (and id (text-property-any (point-min) (point-max) 'recapd-id id))))
        (if found (goto-char found) (forward-line (1- line)))
        (min (+ (point) column) (line-end-position))))))

(defun recapd--insert-problem (sentence)
  "Write SENTENCE, which says why there is no recap."
  (setq recapd--session nil
        header-line-format nil)
  (insert sentence "\n\n")
  (insert (substitute-command-keys "\\[universal-argument] \\[recapd-sessions] shows the sessions of all folders.\n")))

(defun recapd--insert-recap (result)
  "Write the statements of RESULT, which answers `recap/get'."
  (let* ((view (plist-get result :view))
         (recap (plist-get result :recap))
         (stats (plist-get recap :stats))
         (status (plist-get (plist-get recap :state) :status)))
    (setq recapd--session (plist-get result :sessionId))
    ;; What stands there is formatted once more: a percent sign would mean something.
    (setq header-line-format
          (string-replace
           "%" "%%"
           (concat " " (car (split-string recapd--session ":"))
                   " · " (alist-get status recapd--states status nil #'equal)
                   " · " (recapd--count-of (recapd--number stats :turns) "turn")
                   " · " (recapd--count-of (recapd--number stats :filesChanged) "file"))))
    (insert (propertize (plist-get (plist-get view :headline) :text) 'face 'recapd-headline) "\n")
    (when-let ((facts (mapcar (lambda (fact)
                                (propertize (plist-get fact :text) 'face (recapd--face fact 'recapd-note)))
                              (plist-get view :facts))))
      (insert (string-join facts (propertize " · " 'face 'recapd-note)) "\n"))
    (seq-doseq (section (plist-get view :sections))
      ;; How it stands says the headline.
      (unless (equal (plist-get section :name) "state")
        (insert "\n" (propertize (plist-get section :title) 'face 'recapd-heading) "\n")
        (seq-doseq (item (plist-get section :items))
          (recapd--insert-item item 0))))))

(defun recapd--insert-item (item depth)
  "Write ITEM of a recap, and DEPTH deeper what belongs to it."
  (let* ((turn (recapd--number item :turn))
         (note (recapd--note item))
         (indent (make-string (+ 6 (* 2 depth)) ?\s))
         (start (point)))
    ;; Of what belongs to a statement, the turn stands in front of that; what no log says has none.
    (insert (if (and (> turn 0) (= depth 0) (length> (plist-get item :refs) 0))
                (propertize (format "%4d" turn) 'face 'recapd-turn)
              "    ")
            (substring indent 4)
            (propertize (plist-get item :text) 'face (recapd--face item 'default))
            (if note (propertize (concat " · " note) 'face 'recapd-note) "")
            "\n")
    (add-text-properties start (point)
                         `(recapd-item ,item recapd-id ,(plist-get item :id) wrap-prefix ,indent))
    (seq-doseq (child (plist-get item :children))
      (recapd--insert-item child (1+ depth)))))

(defun recapd--face (told other)
  "The face of what is TOLD: that of what failed, or OTHER."
  (if (eq (plist-get told :ok) :json-false) 'recapd-failed other))

(defun recapd--note (item)
  "What is said beside ITEM: who it is by, what became of it."
  (let* ((status (plist-get item :status))
         (by (plist-get item :by))
         (who (and by (alist-get by recapd--sides by nil #'equal)))
         (words (pcase status
                  ("superseded" (list (concat (and who (concat who " ")) (format "in turn %d" (plist-get item :turn)))
                                      "replaced"))
                  ((or "created" "deleted" "renamed") (list who status))
                  ("reversed" (list who "taken back"))
                  (_ (list who)))))
    (and (delq nil words) (string-join (delq nil words) ", "))))

(defun recapd-next (&optional backward)
  "Go to the next statement; with BACKWARD to the one before."
  (interactive)
  (let ((start (point)))
    (forward-line (if backward -1 1))
    (while (not (or (get-text-property (point) 'recapd-item) (if backward (bobp) (eobp))))
      (forward-line (if backward -1 1)))
    (unless (get-text-property (point) 'recapd-item) (goto-char start))))

(defun recapd-previous ()
  "Go to the statement before."
  (interactive)
  (recapd-next t))

(defun recapd-visit ()
  "Show the file that the line at point is about, else the turn it belongs to."
  (interactive)
  (let* ((item (or (get-text-property (line-beginning-position) 'recapd-item) (user-error "No statement here")))
         (path (recapd--path (or (plist-get item :fileUri) ""))))
    (cond ((and path (file-exists-p path)) (find-file-other-window path))
          ((> (recapd--number item :turn) 0) (recapd-show-turn recapd--session (plist-get item :turn)))
          (t (user-error "No turn is known of this")))))

;;;; A turn

(define-derived-mode recapd-turn-mode special-mode "Turn"
  "What was said and done in a turn of a session."
  (visual-line-mode)
  (setq-local bidi-paragraph-direction 'left-to-right))

(defun recapd-show-turn (session turn)
  "Show TURN of the SESSION with this id."
  (recapd--ask
   :transcript/get `(:session (:id ,session) :turn ,turn)
   (lambda (result)
     (with-current-buffer (get-buffer-create (format "*recapd turn %d*" turn))
       (recapd-turn-mode)
       (let ((inhibit-read-only t))
         (erase-buffer)
         (seq-doseq (each (plist-get result :turns))
           (insert (propertize (format "Turn %d" (plist-get each :turn)) 'face 'recapd-heading)
                   (propertize (format " · %s ago\n" (recapd--age (plist-get each :at))) 'face 'recapd-note))
           (seq-doseq (entry (plist-get each :entries))
             (recapd--insert-entry entry)))
         (goto-char (point-min)))
       (pop-to-buffer (current-buffer))))))

(defun recapd--insert-entry (entry)
  "Write ENTRY of a turn: a message, a call, or below it what came of it."
  (let* ((kind (plist-get entry :kind))
         (text (or (plist-get entry :text) ""))
         (head (pcase kind
                 ("user" "You")
                 ("agent" "Agent")
                 ("call" (string-join (delq nil (list "▸" (plist-get entry :tool) (plist-get entry :target))) " "))
                 (_ kind)))
         (mark (cond ((not (equal kind "result")) "  ")
                     ((eq (plist-get entry :ok) :json-false) "✗ ")
                     (t "✓ "))))
    (unless (equal kind "result")
      (insert "\n" (propertize head 'face 'recapd-turn) "\n"))
    (unless (string-empty-p text)
      (let ((start (point)))
        (insert text "\n")
        (add-text-properties start (point) '(line-prefix "  " wrap-prefix "  "))
        (put-text-property start (1+ start) 'line-prefix (propertize mark 'face (recapd--face entry 'recapd-note)))))))

;;;; Commands

;;;###autoload
(defun recapd (&optional session)
  "Show the recap of this project's latest session, and follow it live.
With SESSION, of the one with this id."
  (interactive)
  (if session
      (recapd--show (format "*recapd: %s*" session) `(:id ,session) "full")
    (let ((folder (recapd--folder)))
      (recapd--show (format "*recapd: %s*" (abbreviate-file-name folder)) `(:workspace ,folder) "full" folder))))

;;;###autoload
(defun recapd-decisions ()
  "Show what was decided in the session at hand, and what replaced it."
  (interactive)
  (if (bound-and-true-p recapd--session)
      (recapd--show (format "*recapd decisions: %s*" recapd--session) `(:id ,recapd--session) "decisions")
    (let ((folder (recapd--folder)))
      (recapd--show (format "*recapd decisions: %s*" (abbreviate-file-name folder))
                    `(:workspace ,folder) "decisions" folder))))

;;;###autoload
(defun recapd-sessions (&optional everywhere)
  "Choose a session of this project, those that need you first.
Its recap is shown.
With a prefix, EVERYWHERE, of all folders."
  (interactive "P")
  (let ((folder (and (not everywhere) (recapd--folder))))
    (recapd--ask
     :session/overview `(:limit 100 ,@(and folder `(:workspace ,folder)))
     (lambda (result)
       (let ((rows (append (plist-get result :sessions) nil)))
         (cond (rows (run-at-time 0 nil #'recapd--choose rows))
               (folder (recapd-sessions t))
               (t (recapd--unless-reading (lambda () (message "recapd: no session is known yet"))
                                          (lambda () (recapd-sessions t))))))))))

(defun recapd--choose (rows)
  "Let one of ROWS be chosen, and show its recap."
  (let* ((offered (mapcar (lambda (row) (cons (recapd--offer row) row)) rows))
         (table (lambda (string predicate action)
                  (if (eq action 'metadata)
                      ;; In the order in which they are told.
                      '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
                    (complete-with-action action offered string predicate))))
         (chosen (cdr (assoc (completing-read "Session: " table nil t) offered))))
    (when chosen
      (recapd (plist-get chosen :id)))))

(defun recapd--offer (row)
  "ROW of the overview in a line, unlike any other."
  (let ((title (plist-get row :title))
        (state (plist-get row :state)))
    (concat (format "%-9s %6s  " (alist-get state recapd--states state nil #'equal)
                    (recapd--age (plist-get row :lastActiveAt)))
            (if (string-empty-p title) "" (concat title "  "))
            (propertize (plist-get row :id) 'face 'recapd-note))))

(defun recapd--unless-reading (settled again)
  "Call SETTLED; AGAIN after a while where the daemon is still reading."
  (recapd--ask :recapd/status '(:limit 1)
               (lambda (health)
                 (if (eq (plist-get health :quiescent) t)
                     (funcall settled)
                   (run-at-time 0.3 nil again)))))

;;;; Why a line is there

(defun recapd--ask-why (found none)
  "Ask which turn wrote the line at point, as the buffer has it.
Call FOUND with what is known of it, or NONE with the number of edits of
the file that are known."
  (unless (and buffer-file-name (not (file-remote-p buffer-file-name)))
    (user-error "This buffer visits no file of this machine"))
  (recapd--ask
   :why/get
   `(:path ,buffer-file-name
     :line ,(line-number-at-pos nil t)
     ,@(and (buffer-modified-p)
            `(:text ,(save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))))
   (lambda (result)
     (let ((lines (plist-get result :lines)))
       (if (length> lines 0)
           (funcall found (recapd--about (aref lines 0)))
         (funcall none (recapd--number result :edits)))))))

(defun recapd--about (found)
  "What is known of the turn FOUND, in lines."
  (let ((request (plist-get found :request))
        (at (plist-get found :at)))
    (string-join
     `(,(string-join (delq nil (list (format "turn %d" (plist-get found :turn))
                                     (plist-get found :agent)
                                     (and at (concat (recapd--age at) " ago"))
                                     (plist-get found :title)))
                     " · ")
       ,@(unless (string-empty-p request) (list (concat "asked    " (string-clean-whitespace request))))
       ,@(mapcar (lambda (each) (concat "decided  " (or (plist-get each :headline) (plist-get each :text))))
                 (plist-get found :decisions)))
     "\n")))

;;;###autoload
(defun recapd-why ()
  "Tell which turn wrote the line at point, and what was asked and decided then.
The text counts as the buffer has it; only what is proved is told."
  (interactive)
  (let ((buffer (current-buffer)))
    (recapd--ask-why
     (lambda (lines) (message "%s" lines))
     (lambda (edits)
       (if (> edits 0)
           (message "No session is proved to have written this line as it is now.")
         (recapd--unless-reading (lambda () (message "No known session changed this file."))
                                 (lambda () (when (buffer-live-p buffer)
                                              (with-current-buffer buffer (recapd-why))))))))))

(defun recapd--eldoc (callback &rest _)
  "Tell ElDoc's CALLBACK why the line at point is there."
  (recapd--ask-why callback (lambda (_edits) (funcall callback nil)))
  t)

;;;###autoload
(define-minor-mode recapd-why-mode
  "Tell by ElDoc which turn wrote the line at point, beside what others tell."
  :lighter nil
  (if (and recapd-why-mode buffer-file-name)
      (add-hook 'eldoc-documentation-functions #'recapd--eldoc 50 t)
    (remove-hook 'eldoc-documentation-functions #'recapd--eldoc t)))

;;;; By eglot

(define-derived-mode recapd-log-mode fundamental-mode "Log"
  "A session log, whose lines are long; `imenu' has its turns by eglot."
  (setq truncate-lines t
        bidi-paragraph-direction 'left-to-right)
  (setq-local bidi-inhibit-bpa t))

;;;###autoload
(defun recapd-eglot ()
  "Let eglot manage this mode in this project with recapd as its server.
Hover tells why a line is there, `imenu' the turns of a log or the
headings of a recap file, `xref-find-apropos' sessions and decisions.
Where there is a language server already, use `recapd-why-mode'."
  (interactive)
  (unless (require 'eglot nil t)
    (user-error "Eglot comes with Emacs 29; before, it is a package"))
  ;; Eglot manages no buffer that has no mode of its own.
  (when (eq major-mode 'fundamental-mode)
    (recapd-log-mode))
  (let ((eglot-server-programs `((,major-mode . ,recapd-command))))
    (call-interactively #'eglot)))

(provide 'recapd)
;;; recapd.el ends here
