// Starts `baproduct lsp` for specifications and C files, and gives it the settings.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SECTION = "baproduct";
/** What the server knows of the settings; the others are for this side. */
const FOR_THE_SERVER = ["programs", "arguments", "verifyArguments"];
/** The command of the lens, which the server carries out. */
const VERIFY = "baproduct.verify";

let client;

function settings() {
  const all = workspace.getConfiguration(SECTION);
  return Object.fromEntries(FOR_THE_SERVER.map((name) => [name, all.get(name)]));
}

function start() {
  const command = workspace.getConfiguration(SECTION).get("path");
  client = new LanguageClient(
    SECTION,
    "baproduct",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "json" },
        { scheme: "file", language: "c" },
      ],
      initializationOptions: settings(),
    },
  );
  return client.start().catch((why) => {
    window.showErrorMessage(
      `${command} does not start: ${why.message ?? why}. The setting baproduct.path says where it is.`,
    );
  });
}

async function stop() {
  const running = client;
  client = undefined;
  // A client that did not start cannot be stopped.
  await running?.stop().catch(() => {});
}

async function restart() {
  await stop();
  await start();
}

/** The lens of the last property that begins at the cursor's line or before it; else the first one. */
function nearest(lenses, line) {
  const ours = lenses.filter((lens) => lens.command?.command === VERIFY);
  ours.sort((a, b) => a.range.start.line - b.range.start.line);
  return ours.filter((lens) => lens.range.start.line <= line).pop() ?? ours[0];
}

async function verifyHere() {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const lenses = await commands.executeCommand("vscode.executeCodeLensProvider", editor.document.uri, 1000);
  const lens = nearest(lenses ?? [], editor.selection.active.line);
  if (lens === undefined) {
    window.showInformationMessage("There is no property here.");
    return;
  }
  await commands.executeCommand(lens.command.command, ...lens.command.arguments);
}

function changed(event) {
  if (event.affectsConfiguration(`${SECTION}.path`)) {
    return restart();
  }
  if (event.affectsConfiguration(SECTION)) {
    return client?.sendNotification("workspace/didChangeConfiguration", {
      settings: { [SECTION]: settings() },
    });
  }
}

exports.activate = (context) => {
  context.subscriptions.push(
    commands.registerCommand("baproduct.restart", restart),
    commands.registerCommand("baproduct.verifyHere", verifyHere),
    workspace.onDidChangeConfiguration(changed),
  );
  return start();
};

exports.deactivate = stop;
