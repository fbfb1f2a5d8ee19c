"""What a command line proves, and above all what it does not: a wrong file in a recap costs more than a missing one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.commands.shell import command_argv, commit_message, file_effects, program
from recapd.core.log.effects import join_path


def shown(command: str) -> list[str]:
    """Effects in one line each: `deleted a`, `renamed a b`."""
    return [f"{effect.action} {effect.path} {effect.to}".rstrip() for effect in file_effects(command)]


CLAIMS = [
    # removal
    ("rm a.txt", ["deleted a.txt"]),
    ("rm -rf -- -odd 'b c' \"d e\"", ["deleted -odd", "deleted b c", "deleted d e"]),
    ("rm -rf node_modules/", ["deleted node_modules"]),
    ("rm x 2>/dev/null; ls", ["deleted x"]),
    ("unlink a; rmdir b", ["deleted a", "deleted b"]),
    ("sudo -u me /bin/rm -f /etc/x.conf", ["deleted /etc/x.conf"]),
    ("\\rm a", ["deleted a"]),
    ("cd a;rm b", ["deleted a/b"]),
    ("rm a\\ b", ["deleted a b"]),
    # redirection
    ("echo hi > out.txt", ["written out.txt"]),
    ("make >build.log 2>&1", ["written build.log"]),
    ("pytest >> log 2> err", ["written log", "written err"]),
    ("run &> all.log", ["written all.log"]),
    ("echo x >| forced", ["written forced"]),
    ("( ls; pwd ) > both.txt", ["written both.txt"]),
    ("{ ls; pwd; } > both.txt", ["written both.txt"]),
    ("for f in a b; do cat $f; done > all.txt", ["written all.txt"]),
    ("cat > a.py <<'EOF'\nimport os\nos.system('rm b')\nrm c > d\nEOF\n", ["written a.py"]),
    ("cat <<EOF > a\n$X\nEOF\nrm b", ["written a", "deleted b"]),
    ("cat <<-E > a\n\tbody\n\tE\ntouch b", ["written a", "written b"]),
    ("cat <<A > a; cat <<B > b\none\nA\ntwo\nB\nrm c", ["written a", "written b", "deleted c"]),
    ("printf 'x' | tee -a notes.md >/dev/null", ["written notes.md"]),
    ("echo x | sudo tee /etc/hosts", ["written /etc/hosts"]),
    # cp, mv, ln, install
    ("cp a.py b.py", ["written b.py"]),
    ("cp .env.example .env", ["written .env"]),
    ("cp a.py b.py lib/", ["written lib/a.py", "written lib/b.py"]),
    ("cp docs/a.html .", ["written a.html"]),
    ("cp -t dest a.py", ["written dest/a.py"]),
    ('cp "$TMP" config.json', ["written config.json"]),
    ("mv a b", ["renamed a b"]),
    ("mv old.py new.py", ["renamed old.py new.py"]),
    ("mv x.py y.py pkg/", ["renamed x.py pkg/x.py", "renamed y.py pkg/y.py"]),
    ("mv notes.md docs", ["renamed notes.md"]),
    ('mv notes.md "$DIR"', ["renamed notes.md"]),
    ("ln -s ../shared/a.md a.md", ["created a.md"]),
    ("ln -sf b.cfg a.cfg", ["written a.cfg"]),
    ("install -m 755 tool.sh bin/tool.sh", ["written bin/tool.sh"]),
    # in place
    ("sed -i 's/a/b/' x.py y.py", ["modified x.py", "modified y.py"]),
    ("sed -i '' 's|a|b|g' x.py", ["modified x.py"]),
    ("sed -i.bak -e 's/a/b/' -e 's/c/d/' x.py", ["modified x.py"]),
    ("sed -i .bak 's/a/b/' x.py", ["modified x.py"]),
    ("sed -E -i 's/a/b/' x; sed -ni 1p y; sed --in-place -f s.sed z", ["modified x", "modified y", "modified z"]),
    ("perl -pi -e 's/a/b/' x.py", ["modified x.py"]),
    ("perl -0777 -i.bak -pe 's/a/b/' x.py", ["modified x.py"]),
    ("sed -i 's/a/b/' x; sed -i 's/c/d/' x", ["modified x"]),
    ("touch a; rm a; touch a", ["written a", "deleted a", "written a"]),
    ("truncate -s 0 app.log", ["written app.log"]),
    ("dd if=/dev/zero of=disk.img bs=1M count=1", ["written disk.img"]),
    # git
    ("git rm -rf old/a.py", ["deleted old/a.py"]),
    ("git mv a.py b.py", ["renamed a.py b.py"]),
    ("git checkout HEAD~1 -- a.py b.py", ["modified a.py", "modified b.py"]),
    ("git restore --source=main a.py", ["modified a.py"]),
    ("git -C sub rm x", ["deleted sub/x"]),
    # folders
    ("cd src && rm a.py", ["deleted src/a.py"]),
    ("cd /w/app\nrm ./a.py ../b.py /c.py", ["deleted /w/app/a.py", "deleted /w/b.py", "deleted /c.py"]),
    ("(cd sub && rm a); rm b", ["deleted sub/a", "deleted b"]),
    ("cd sub && serve > log & rm b", ["written sub/log", "deleted b"]),
    ("cd .. && rm b", ["deleted ../b"]),
    # nested shells and patches
    ("bash -lc 'cd a && rm b'", ["deleted a/b"]),
    ("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.py\n+x > y\n*** End Patch\nEOF\n", ["created a.py"]),
    ("cd pkg && apply_patch '*** Begin Patch\n*** Delete File: a.py\n*** End Patch'", ["deleted pkg/a.py"]),
    # around the program
    ("FOO=1 BAR='a b' rm x", ["deleted x"]),
    ("env A=1 nohup time rm x &", ["deleted x"]),
    ("timeout 5 cp a.py b.py", ["written b.py"]),
    ("rm a # rm b", ["deleted a"]),
    ("rm a \\\n  b", ["deleted a", "deleted b"]),
    # PowerShell
    ("Remove-Item -Recurse -Force '.\\old dir\\a.txt'", ["deleted old dir\\a.txt"]),
    ("Get-Date | Out-File -FilePath log.txt -Encoding utf8", ["written log.txt"]),
    ("Set-Content -Path a.txt -Value 'rm b'", ["written a.txt"]),
    ("Move-Item a.txt b.txt; Rename-Item src\\c.txt d.txt", ["renamed a.txt b.txt", "renamed src\\c.txt src\\d.txt"]),
    ("New-Item -ItemType File -Path a.txt", ["created a.txt"]),
]


@pytest.mark.parametrize(("command", "expected"), CLAIMS, ids=[row[0][:50] for row in CLAIMS])
def test_effects_that_the_text_proves(command: str, expected: list[str]) -> None:
    assert shown(command) == expected


NO_CLAIM = [
    # the seed's own false claims
    "docker run --rm -v $PWD:/w img ls",
    "docker rm container",
    "npm rm left-pad",
    "git rm --cached secrets.env",
    'grep "rm -rf" -r .',
    "echo 'rm x'",
    'echo "rm x > y"',
    "ls",
    "ls -la | head",
    "find . -name '*.pyc' -delete",
    "find . -name x -exec rm {} \\;",
    "xargs rm < list.txt",
    'git commit -m "move a > b"',
    'git commit -m "$(cat <<\'EOF\'\nrm a > b\nit\'s "quoted" )\nEOF\n)"',
    # nothing written to disk
    "make 2>&1 | tail -5",
    "make >/dev/null 2>&1",
    "cmd 2>/dev/null",
    "echo x >&2",
    "dir > NUL",
    "mkdir -p a/b",
    "pip install -e .",
    "npm install cp",
    "sed -n '1,20p' a.py",
    "perl -ne 'print' a.py",
    "grep -i foo bar",
    "[[ a > b ]] && echo yes",
    "(( a > b ))",
    "for ((i=9; i>0; i--)); do echo $i; done",
    "awk '$3 > 5 {print}' a",
    'python3 -c "print(1 > 2)"',
    "python3 - <<'PY'\nopen('x','w') > 1\nPY",
    "ssh host 'rm -rf x'",
    "git restore --staged a.py",
    "git checkout main",
    "git checkout -- .",
    "git stash && git checkout -",
    "touch -c a",
    "command -v rm",
    "rm --help",
    # a word whose value the text does not tell
    "rm *.py",
    "rm $X",
    'rm -rf "$DIR/build"',
    "rm $(cat list)",
    "rm `cat list`",
    "rm ~/x",
    "rm {a,b}.txt",
    "rm a[0-9].txt",
    "echo x > $OUT",
    'echo x > "$(date).log"',
    "rm src\\main.py",
    'cd "$ROOT" && rm a',
    "cd && rm a",
    "cd - && rm a",
    # it may not have run, or may have failed without a trace
    "if [ -f a ]; then rm a; fi",
    "for f in a; do rm b; done",
    "clean() { rm a; }",
    "function clean { rm a; }",
    "case $x in a) rm b;; esac",
    "[ -f a ] && rm a",
    "test -d a && mv a b",
    "grep -q x a && rm a",
    "make || rm a",
    "cp a.py b.py 2>/dev/null || true",
    "mv a b 2>/dev/null; ls",
    "cp -n a.py b.py",
    # which file it was is not certain
    "cp a.py docs",
    "cp tool /usr/local/bin",
    "cp -r src backup",
    "git rm '*.txt'",
    # no shell text
    "*** Begin Patch\n*** Update File: a.rs\n@@\n-  A => { x > y }\n*** End Patch",
    "match x { A => b, C => d }",
    "echo 'open quote > a",
    "echo (a > b)",
    # program text kept in variables, arrays, functions
    "X=$(rm a)",
    "files=(rm a)",
    "Get-ChildItem | ForEach-Object { Remove-Item $_ }",
    "Remove-Item $path",
    "Remove-Item *.log",
]


@pytest.mark.parametrize("command", NO_CLAIM, ids=[row[:50] for row in NO_CLAIM])
def test_no_claim_without_proof(command: str) -> None:
    assert shown(command) == []


def test_an_open_quote_spoils_only_its_own_line_and_what_follows() -> None:
    assert shown("rm a\nrm b; echo 'open\nrm c") == ["deleted a"]


FRAGMENTS = (
    "rm mv cp cat sed -i git checkout -- > >> << <<- <<< EOF 'EOF' \" ' \\ $( ) ( { } ` $ ${ [[ ]] if then fi for do "
    "done case esac ; && || | & \n # a b/c ./d ~ * tee -t 2> &> <( apply_patch bash -c =( x= *** Remove-Item 'x' @' \0"
)


@given(st.lists(st.sampled_from(FRAGMENTS.split(" ")), max_size=24))
def test_never_raises_on_shell_fragments(parts: list[str]) -> None:
    for glue in (" ", ""):
        command = glue.join(parts)
        assert all(effect.path for effect in file_effects(command))
        program(command)
        commit_message(f"git commit -m {command}")
        command_argv(command)
        command_argv(parts)


@given(st.text())
def test_never_raises_on_any_text(text: str) -> None:
    for command in (text, "rm " + text, "git commit -m " + text):
        assert all(effect.path for effect in file_effects(command))
        program(command)
        commit_message(command)


@pytest.mark.parametrize(
    "command",
    [
        "rm " + "'" * 99_999,
        "rm " + "$(" * 50_000,
        "cat > a " + "<<E " * 20_000 + "\nx" * 20_000,
        "cat > a <<EOF\n" + "EOFEOF " * 50_000,
        "echo " + '"\\' * 50_000 + " > a",
        "rm " + "`a" * 50_001,
        "a;" * 50_000 + "rm x",
        "sed " + "-n " * 50_000,
        "git checkout " * 5_000,
    ],
    ids=["quotes", "substitutions", "heredocs", "delimiters", "escapes", "ticks", "commands", "options", "checkouts"],
)
def test_long_hostile_commands_take_linear_time(command: str) -> None:
    file_effects(command)  # the timeout of the suite is the assertion: quadratic would be minutes


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("", "./a//b/../c", "a/c"),
        ("x", "a", "x/a"),
        ("x", "/a", "/a"),
        ("x", "../a", "a"),
        ("", "../../a", "../../a"),
        ("/", "../a", "/a"),
        ("", "..", ""),
        ("x", ".", "x"),
    ],
)
def test_paths_join_as_text(folder: str, path: str, expected: str) -> None:
    assert join_path(folder, path) == expected
