"""The package for Emacs, in a real Emacs without a screen, against the real daemon: every command as users give it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.opened_shop import SESSION, log_in, next_request, opened_shop
from tests.support.clock import PATIENCE_S
from tests.support.daemons import ROOT, Home

pytestmark = pytest.mark.editors

PACKAGE = ROOT / "clients" / "emacs"
HELPERS = """
(require 'recapd)
(defvar told nil "What was said in the echo area.")
(advice-add 'message :around
            (lambda (say form &rest words)
              (push (if form (apply #'format-message form words) "") told)
              (unless (string-prefix-p "[jsonrpc]" (car told)) (apply say form words))))
(defun text () (buffer-substring-no-properties (point-min) (point-max)))
(defun wait-for (what is-so)
  (with-timeout (PATIENCE (error "Waited in vain for %s, and saw:\\n%s" what (text)))
    ;; As after every command, the buffer of the window is the current one.
    (while (not (progn (set-buffer (window-buffer)) (funcall is-so))) (accept-process-output nil 0.05))))
(defun wait-for-text (words)
  (wait-for words (lambda () (string-search words (text)))))
(defun wait-for-told (words)
  (wait-for words (lambda () (seq-some (lambda (said) (string-search words said)) told))))
(defun append-to (file more)
  (write-region (with-temp-buffer (insert-file-contents more) (buffer-string)) nil file t 'quiet))
(setq make-backup-files nil create-lockfiles nil)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened_shop(tmp_path) as home:
        yield home


def emacs(folder: Path, *arguments: str, environ: dict[str, str]) -> None:
    if not os.environ.get("RECAPD_EDITORS") and shutil.which("emacs") is None:
        pytest.skip("Emacs is not installed; .ci/run does that")
    # As Debian starts it, so that eglot's package is found: without the user's own, and without the site's.
    command = ["emacs", "--batch", "--no-init-file", "--no-site-file", "-L", str(PACKAGE), *arguments]
    done = subprocess.run(
        command, env=environ, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S * 3, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]


def play(home: Home, script: str) -> None:
    """Run a script in an Emacs that has the package, in the folder of the shop."""
    command = f'(setq recapd-command (list "{sys.executable}" "-m" "recapd" "connect"))'
    (home.folder / "test.el").write_text(
        f";; -*- lexical-binding: t -*-\n{HELPERS.replace('PATIENCE', str(PATIENCE_S))}{command}\n{script}"
    )
    emacs(home.folder / "work", "-f", "package-activate-all", "-l", str(home.folder / "test.el"), environ=home.environ)


def test_it_compiles_without_a_warning(home: Home) -> None:
    shutil.copy(PACKAGE / "recapd.el", home.folder)
    compiled = "(setq byte-compile-error-on-warn t)"
    emacs(home.folder, "--eval", compiled, "-f", "batch-byte-compile", "recapd.el", environ=home.environ)


def test_the_recap_follows_live(home: Home) -> None:
    for name, words in (("green", "Now paint it green."), ("blue", "Rather paint it blue.")):
        (home.folder / name).write_text(next_request(home, words))
    play(
        home,
        f"""
        (recapd)
        (wait-for-text "Open the shop")
        (cl-assert (and buffer-read-only (string-search "1 turn" header-line-format)))
        ;; Whoever reads a statement stays at it, although others come before it.
        (goto-char (point-min))
        (re-search-forward "^Files changed")
        (recapd-next)
        (cl-assert (string-search "shop.py" (thing-at-point 'line)))
        (append-to "{log_in(home)}" "{home.folder}/green")
        (wait-for-text "paint it green")
        (cl-assert (string-search "shop.py" (thing-at-point 'line)) nil "point is at %s" (thing-at-point 'line))
        ;; Also past the end of the daemon, which is started again.
        (call-process "{sys.executable}" nil nil nil "-m" "recapd" "down")
        (append-to "{log_in(home)}" "{home.folder}/blue")
        (wait-for-text "paint it blue")
        (kill-buffer)
        (cl-assert (null recapd--followers))
        """,
    )


def test_sessions_turns_files_and_decisions(home: Home) -> None:
    play(
        home,
        f"""
        (let (offered)
          (cl-letf (((symbol-function 'completing-read)
                     (lambda (_prompt table &rest _) (setq offered (car (all-completions "" table))))))
            (dolist (everywhere '(nil t))
              (recapd-sessions everywhere)
              (wait-for "the recap" (lambda () (string-search "claude-code:{SESSION}" (buffer-name))))
              (wait-for-text "Original request")
              (cl-assert (string-search "Open the shop" offered))
              (bury-buffer))))
        (switch-to-buffer "*recapd: claude-code:{SESSION}*")
        (goto-char (point-min))
        (recapd-next)
        (recapd-visit)
        (wait-for-text "prices are integers.")
        (cl-assert (and (derived-mode-p 'recapd-turn-mode) (string-search "▸ Write" (text))))
        (switch-to-buffer "*recapd: claude-code:{SESSION}*")
        (recapd-decisions)
        (wait-for-text "never floats")
        (cl-assert (string-search "· you" (text)))
        (switch-to-buffer "*recapd: claude-code:{SESSION}*")
        (re-search-forward "^Files changed")
        (recapd-next)
        (recapd-visit)
        (cl-assert (equal buffer-file-name "{home.folder}/work/shop.py"))
        (recapd "claude-code:nobody")
        (wait-for-text "sessions of all folders")
        """,
    )


def test_why_a_line_is_there(home: Home) -> None:
    play(
        home,
        """
        (find-file "shop.py")
        (insert "# not saved, by hand\\n")
        (forward-line 1)
        (recapd-why)
        (wait-for-told "asked    Open the shop")
        (wait-for-told "turn 1 · claude-code")
        (goto-char (point-min))
        (recapd-why)
        (wait-for-told "No session is proved")
        (let (heard)
          (recapd-why-mode)
          (forward-line 1)
          (run-hook-with-args-until-success 'eldoc-documentation-functions (lambda (said &rest _) (setq heard said)))
          (wait-for "ElDoc" (lambda () heard))
          (cl-assert (string-search "Open the shop" heard)))
        (find-file "other.py")
        (recapd-why)
        (wait-for-told "No known session")
        (set-buffer-modified-p nil)
        """,
    )


def test_eglot_takes_recapd_as_a_server(home: Home) -> None:
    play(
        home,
        f"""
        (require 'eglot)
        (setq eglot-connect-timeout {PATIENCE_S} eglot-sync-connect t)
        (find-file "shop.py")
        (forward-line 1)
        (recapd-eglot)
        (cl-assert (eglot-current-server))
        (let (heard)
          (wait-for "hover" (lambda ()
                              (eglot-hover-eldoc-function (lambda (said &rest _) (setq heard said)))
                              (accept-process-output nil 0.2)
                              heard))
          (cl-assert (string-search "Open the shop" heard) nil "hover says %s" heard))
        (eglot-shutdown (eglot-current-server))
        (find-file "{log_in(home)}")
        (recapd-eglot)
        (cl-assert (not (eq major-mode 'fundamental-mode)))
        (let ((outline (prin1-to-string (eglot-imenu))))
          (cl-assert (string-search "1 Open the shop" outline) nil "the outline is %s" outline))
        (eglot-shutdown (eglot-current-server))
        """,
    )
