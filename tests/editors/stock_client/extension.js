/** A language client that knows nothing of recapd but its command, beside the extension that knows all of it. */

const { spawn } = require("node:child_process");

const rpc = require("vscode-jsonrpc/node.js");
const vscode = require("vscode");

const SOURCES = { scheme: "file" };

exports.activate = (context) =>
  context.subscriptions.push(
    vscode.commands.registerCommand("stock.start", () => start(context)),
    vscode.commands.registerCommand("stock.count", count),
  );

/** How often the line at the cursor is explained, and the file, once everybody has answered. */
async function count() {
  const { document, selection } = vscode.window.activeTextEditor;
  const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, selection.active);
  const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri);
  const telling = hovers.filter(({ contents }) => contents.some(({ value }) => value.includes("Asked: ")));
  const titled = lenses.filter(({ command }) => command?.title.startsWith("turn "));
  vscode.window.setStatusBarMessage(`hovers: ${telling.length}, lenses: ${titled.length}`);
}

async function start(context) {
  const child = spawn(vscode.workspace.getConfiguration("recapd").get("command"), ["connect"]);
  context.subscriptions.push({ dispose: () => child.stdin.end() });
  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  connection.onUnhandledNotification(() => undefined);
  connection.listen();
  const folders = vscode.workspace.workspaceFolders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, workspaceFolders: folders, capabilities: {} });
  await connection.sendNotification("initialized", {});
  const open = ({ uri, languageId, version, getText }) =>
    uri.scheme === "file" && connection.sendNotification("textDocument/didOpen", { textDocument: { uri: uri.toString(), languageId, version, text: getText() } });
  vscode.workspace.textDocuments.forEach(open);
  const about = (document) => ({ textDocument: { uri: document.uri.toString() } });
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.languages.registerHoverProvider(SOURCES, {
      async provideHover(document, position) {
        const found = await connection.sendRequest("textDocument/hover", { ...about(document), position });
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value));
      },
    }),
    vscode.languages.registerCodeLensProvider(SOURCES, {
      async provideCodeLenses(document) {
        const found = await connection.sendRequest("textDocument/codeLens", about(document));
        return found.map(({ range: { start, end }, command }) => new vscode.CodeLens(new vscode.Range(start.line, start.character, end.line, end.character), { title: command.title, command: "" }));
      },
    }),
  );
  vscode.window.setStatusBarMessage("the stock client answers");
}
