// The page: editors, examples, links that hold the input, and answers of the worker.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { COMMANDS, TITLES } from "./commands.mjs";
import { packed, unpacked } from "./fragment.mjs";
import { show } from "./results.mjs";

const place = (id) => document.getElementById(id);
const worker = new Worker("./worker.mjs", { type: "module" });
const state = { command: "check", files: { pools: "", pods: "", new: "" }, asked: 0, ready: false, timer: 0 };
const editors = {};

function editor(name) {
  const changed = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    state.files[name] = update.state.doc.toString();
    later();
  });
  const extensions = [lineNumbers(), history(), lintGutter(), yaml(), syntaxHighlighting(defaultHighlightStyle), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]), changed,
    EditorView.contentAttributes.of({ "aria-label": TITLES[name] })];
  const box = document.createElement("div");
  box.className = "editor";
  box.innerHTML = "<h2></h2>";
  box.firstChild.textContent = TITLES[name];
  place("editors").append(box);
  return { box, view: new EditorView({ parent: box, state: EditorState.create({ extensions }) }) };
}

function later() {
  clearTimeout(state.timer);
  state.timer = setTimeout(ask, 300);
}

function ask() {
  if (!state.ready) return;
  const { inputs, line } = COMMANDS[state.command];
  const files = Object.fromEntries(inputs.map((name) => [`${name}.yaml`, state.files[name]]));
  place("state").textContent = "Running…";
  worker.postMessage({ number: ++state.asked, files, command: line(state.files) });
}

function marks(json) {
  const { doc } = editors.pools.view.state;
  let found = [];
  try {
    found = JSON.parse(json).findings;
  } catch {
    // an answer that is not JSON has no findings
  }
  const shown = found.filter((each) => each.line && each.line <= doc.lines).map((each) => {
    const line = doc.line(each.line);
    return { from: Math.min(line.from + (each.column ?? 1) - 1, line.to), to: line.to, severity: each.severity === "note" ? "info" : each.severity, message: `${each.code}: ${each.message}` };
  });
  editors.pools.view.dispatch(setDiagnostics(editors.pools.view.state, shown));
}

worker.onmessage = ({ data }) => {
  if (data.failed) place("state").textContent = `Python does not start: ${data.failed}`;
  if (data.ready) {
    state.ready = true;
    place("state").textContent = `Ready in ${(performance.now() / 1000).toFixed(1)} s`;
    ask();
  }
  if (data.number !== state.asked || !data.text) return;
  const answer = JSON.parse(data.text);
  show(place("result"), state.command, answer);
  marks(state.command === "check" ? answer.json : "");
  place("state").textContent = "";
  document.body.dataset.answered = String(data.number);
};

function select(command) {
  state.command = command;
  for (const button of place("commands").children) button.setAttribute("aria-selected", String(button.value === command));
  for (const [name, { box }] of Object.entries(editors)) box.hidden = !COMMANDS[command].inputs.includes(name);
  ask();
}

function fill({ command, files }) {
  for (const [name, { view }] of Object.entries(editors)) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: files[name] ?? "" } });
  }
  clearTimeout(state.timer);
  select(command);
}

async function open() {
  for (const name of Object.keys(TITLES)) editors[name] = editor(name);
  for (const [value, { title }] of Object.entries(COMMANDS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", value, textContent: title, onclick: () => select(value) });
    button.setAttribute("role", "tab");
    place("commands").append(button);
  }
  const examples = await fetch("./examples.json").then((answer) => answer.json());
  place("example").append(...examples.map(({ title }, number) => new Option(title, String(number))));
  place("example").onchange = ({ target }) => fill(examples[Number(target.value)]);
  place("link").onclick = async () => {
    location.hash = await packed({ command: state.command, files: state.files });
    await navigator.clipboard?.writeText(location.href).catch(() => {}); // without the permission, the link is in the address bar
  };
  fill((await unpacked(location.hash)) ?? examples[0]);
}

await open();
