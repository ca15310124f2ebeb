// Tries the extension without an editor: its own code runs against a stand-in of the editor's interface, and the
// server that it starts is the real one, spoken to with the protocol library that the extension brings along, if it is installed.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const rpc = require("./protocol");

const HERE = path.dirname(__dirname);
const MANIFEST = JSON.parse(fs.readFileSync(path.join(HERE, "package.json"), "utf8"));
const BINARY = process.env.BAPRODUCT ?? "baproduct";
const PATIENCE = 60_000;

const PROGRAM = "int motor;\nint main(void) { motor = 1; return motor; }\n";
const SPECIFICATION = `{
  "properties": [ { "name": "safe", "ltl": "G (runs -> F !runs)" } ],
  "pa": [ { "name": "runs", "cond": "motor > 0", "default": false, "span": ["_begin", "_end"] } ]
}
`;

/** The settings as an editor has them: the defaults of the manifest, and the program under test. */
function configuration() {
  const all = MANIFEST.contributes.configuration.properties;
  const values = Object.entries(all).map(([name, about]) => [name, about.default]);
  return new Map([...values, ["baproduct.path", BINARY]]);
}

/** A client with the interface of `vscode-languageclient` that the extension uses. */
class Client {
  static all = [];

  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, diagnostics: [], waiting: [] });
    Client.all.push(this);
  }

  async start() {
    this.child = spawn(this.server.command, this.server.args, { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve, reject) => {
      this.child.on("spawn", resolve);
      this.child.on("error", reject);
    });
    this.ended = new Promise((resolve) => this.child.on("exit", resolve));
    this.connection = rpc.createProtocolConnection(
      new rpc.StreamMessageReader(this.child.stdout),
      new rpc.StreamMessageWriter(this.child.stdin),
    );
    this.connection.onNotification(rpc.PublishDiagnosticsNotification.type, (told) => {
      this.diagnostics.push(told);
      this.waiting.splice(0).forEach((wake) => wake());
    });
    this.connection.listen();
    this.answer = await this.connection.sendRequest(rpc.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      initializationOptions: this.options.initializationOptions,
    });
    await this.connection.sendNotification(rpc.InitializedNotification.type, {});
  }

  async stop() {
    await this.connection.sendRequest(rpc.ShutdownRequest.type);
    await this.connection.sendNotification(rpc.ExitNotification.type);
    this.status = await this.ended;
  }

  sendNotification(method, params) {
    return this.connection.sendNotification(method, params);
  }

  /** Waits for diagnostics of a document. */
  async told(uri, version) {
    const found = () => this.diagnostics.find((told) => told.uri === uri && told.version === version);
    while (found() === undefined) {
      await new Promise((resolve) => this.waiting.push(resolve));
    }
    return found().diagnostics;
  }
}

/** The editor's interface, as far as the extension uses it. */
function editor(values, document) {
  const registered = new Map();
  const shown = [];
  const listeners = [];
  return {
    registered,
    shown,
    listeners,
    api: {
      commands: {
        registerCommand: (name, run) => {
          registered.set(name, run);
          return { dispose() {} };
        },
        executeCommand: async (name, ...parameters) => {
          const client = Client.all.at(-1);
          if (name === "vscode.executeCodeLensProvider") {
            return client.connection.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri: parameters[0] } });
          }
          const asked = { command: name, arguments: parameters };
          return client.connection.sendRequest(rpc.ExecuteCommandRequest.type, asked);
        },
      },
      window: {
        activeTextEditor: { document: { uri: document }, selection: { active: { line: 1 } } },
        showErrorMessage: (text) => shown.push(text),
        showInformationMessage: (text) => shown.push(text),
      },
      workspace: {
        getConfiguration: (section) => ({ get: (name) => values.get(`${section}.${name}`) }),
        onDidChangeConfiguration: (listener) => {
          listeners.push(listener);
          return { dispose() {} };
        },
      },
    },
  };
}

/** Loads the extension with stand-ins for what only an editor has. */
function load(api) {
  const usual = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") {
      return api;
    }
    return name === "vscode-languageclient/node" ? { LanguageClient: Client } : usual(name, ...rest);
  };
  const file = require.resolve(path.join(HERE, "extension.js"));
  delete require.cache[file];
  const extension = require(file);
  Module._load = usual;
  return extension;
}

/** Every command and every file that the manifest names is there. */
function complete(registered) {
  for (const { command } of MANIFEST.contributes.commands) {
    assert(registered.has(command), command);
  }
  const files = MANIFEST.contributes.snippets.map((snippets) => snippets.path);
  for (const file of files) {
    JSON.parse(fs.readFileSync(path.join(HERE, file), "utf8"));
  }
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "baproduct-editor-"));
  const at = (name) => path.join(folder, name);
  fs.writeFileSync(at("gate.c"), PROGRAM);
  fs.writeFileSync(at("gate.json"), SPECIFICATION);
  const uri = pathToFileURL(at("gate.json")).href;
  const values = configuration();
  const { api, registered, shown, listeners } = editor(values, uri);
  const extension = load(api);
  await extension.activate({ subscriptions: [] });
  assert.deepEqual(shown, []);
  complete(registered);

  const client = Client.all.at(-1);
  const offered = client.answer.capabilities.executeCommandProvider.commands;
  assert.deepEqual(offered, ["baproduct.verify"]);
  const opened = (version, text) => ({ uri, languageId: "json", version, text });
  client.sendNotification("textDocument/didOpen", { textDocument: opened(1, SPECIFICATION) });
  assert.deepEqual(await client.told(uri, 1), []);
  const mistaken = SPECIFICATION.replace("F !runs", "F !run");
  client.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: mistaken }],
  });
  const [mistake] = await client.told(uri, 2);
  assert.match(mistake.message, /run/);
  client.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 3 },
    contentChanges: [{ text: SPECIFICATION }],
  });
  assert.deepEqual(await client.told(uri, 3), []);

  // A change of the settings reaches the server, which would refuse a name that it does not know.
  const refused = [];
  client.connection.onNotification("window/logMessage", (told) => refused.push(told.message));
  values.set("baproduct.arguments", ["--unwind", "2"]);
  await listeners[0]({ affectsConfiguration: (name) => name === "baproduct" });
  const lenses = await api.commands.executeCommand("vscode.executeCodeLensProvider", uri);
  assert.deepEqual(lenses.map((lens) => lens.command.title), ["verify safe"]);
  assert.deepEqual(refused, []);

  // The palette's command runs the lens of the property at the cursor; without a model checker, its error is told.
  client.sendNotification("textDocument/didSave", { textDocument: { uri } });
  const ran = await registered.get("baproduct.verifyHere")().then(() => "verified", (why) => why.message);
  assert(ran === "verified" || /cbmc|esbmc/i.test(ran), ran);

  await registered.get("baproduct.restart")();
  assert.equal(client.status, 0);
  assert.notEqual(Client.all.at(-1), client);
  await extension.deactivate();
  assert.equal(Client.all.at(-1).status, 0);

  // A program that is not there is told, and does not stop the editor.
  values.set("baproduct.path", at("nothing"));
  await registered.get("baproduct.restart")();
  assert.match(shown.at(-1), /does not start.*baproduct\.path/);
  fs.rmSync(folder, { recursive: true });
  console.log(`the extension works; the verification was: ${ran}`);
}

const watch = setTimeout(() => {
  console.error("the server does not answer");
  process.exit(1);
}, PATIENCE);
main().then(
  () => clearTimeout(watch),
  (why) => {
    console.error(why);
    process.exit(1);
  },
);
