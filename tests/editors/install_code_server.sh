#!/usr/bin/env bash
# Installs VS Code in a browser (code-server) into a folder from the registries alone; once: a second call does nothing.
#
#     tests/editors/install_code_server.sh FOLDER
#
# Its own install script wants to download programs from elsewhere, so none is run: what has to be compiled is compiled
# here against the headers of the node that is there, and ripgrep is the system's. Needs what .ci/run installs by apt.
set -euo pipefail
folder=$1
[ ! -e "$folder/installed" ] || exit 0
mkdir -p "$folder"
cd "$folder"
gyp=$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
quiet=(--ignore-scripts --no-audit --no-fund --loglevel=error)

printf '{"private": true}\n' >package.json
npm install "${quiet[@]}" code-server@4.100.3
modules=$folder/node_modules
cd "$modules/code-server/lib/vscode"
npm install "${quiet[@]}" --omit=dev
mkdir -p node_modules/@vscode/ripgrep/bin
cp "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
(cd extensions && npm install "${quiet[@]}" --omit=dev)

compile() {
  (cd "$1" && node "$gyp" rebuild --nodedir=/usr >"$folder/compiled.log" 2>&1) ||
    { tail -n 20 "$folder/compiled.log"; echo "could not compile $1"; return 1; }
}
while read -r module; do compile "$module"; done < <(find node_modules -name binding.gyp -not -path '*/test/*' -printf '%h\n')
argon2=$(find "$modules" -type d -path '*/node_modules/argon2' -prune | head -n 1)
if [ -n "$argon2" ]; then
  (cd "$argon2" && node "$modules/@mapbox/node-pre-gyp/bin/node-pre-gyp" rebuild --build-from-source --nodedir=/usr \
    >"$folder/compiled.log" 2>&1) || { tail -n 20 "$folder/compiled.log"; exit 1; }
fi
touch "$folder/installed"
