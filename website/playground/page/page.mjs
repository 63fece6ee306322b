// The page: editors, examples, links that hold the input, and answers of the worker.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { COMMANDS, TITLES, placeOf } from "./commands.mjs";
import { packed, unpacked } from "./fragment.mjs";
import { prompt, show } from "./results.mjs";

const place = (id) => document.getElementById(id);
const worker = new Worker("./worker.mjs", { type: "module" });
const state = { command: "check", files: { pools: "", pods: "", new: "" }, asked: 0, ready: false, busy: false, again: false, timer: 0 };
const editors = {};
const CUT_OFF = "The input of this link is damaged or cut off. The page shows an example.";
const LONG = 2_000; // some programs cut longer addresses off
const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--value)" },
  { tag: tags.comment, color: "var(--quiet)" },
]);

function editor(name) {
  const changed = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    state.files[name] = update.state.doc.toString();
    later();
  });
  const extensions = [lineNumbers(), history(), lintGutter(), yaml(), syntaxHighlighting(COLORS), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]), changed,
    EditorView.contentAttributes.of({ "aria-label": TITLES[name], "aria-describedby": "keys", tabindex: "0" })];
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
  state.again = state.busy; // edits while a command runs are one next run, not one each
  const { inputs, line } = COMMANDS[state.command];
  const empty = inputs.filter((name) => !state.files[name].trim());
  if (empty.length) return answered(++state.asked, () => prompt(place("result"), empty));
  if (state.busy) return;
  state.busy = true;
  const files = Object.fromEntries(inputs.map((name) => [`${name}.yaml`, state.files[name]]));
  place("state").textContent = "Running…";
  worker.postMessage({ number: ++state.asked, files, command: line(state.files) });
}

function answered(number, show, found = []) {
  show();
  marks(found);
  place("state").textContent = "";
  document.body.dataset.answered = String(number);
}

// What an answer says about lines: findings of `check`, and texts that cannot be read.
function lines(json) {
  try {
    const { findings, problems } = JSON.parse(json);
    const unreadable = problems.map(({ path, message }) => ({ ...placeOf(path), severity: "error", message }));
    const shown = findings.map((each) => ({ ...each, name: "pools", severity: each.severity === "note" ? "info" : each.severity, message: `${each.code}: ${each.message}` }));
    return [...unreadable, ...(state.command === "check" ? shown : [])];
  } catch {
    return []; // an answer that is not JSON says nothing about lines
  }
}

function marks(found) {
  for (const [name, { view }] of Object.entries(editors)) {
    const { doc } = view.state;
    const shown = found.filter((each) => each.name === name && each.line).map(({ line: number, column, severity, message }) => {
      const line = doc.line(Math.min(number, doc.lines));
      return { from: Math.min(line.from + (column ?? 1) - 1, line.to), to: line.to, severity, message };
    });
    view.dispatch(setDiagnostics(view.state, shown));
  }
}

function ran({ number, json, text }) {
  const isOver = text !== undefined;
  if (isOver) state.busy = false;
  if (number === state.asked && !state.again) {
    if (!isOver && !json.startsWith("{")) return; // an error of the command, which its text tells
    answered(number, () => show(place("result"), state.command, { json, text }), lines(json));
  }
  if (isOver && state.again) ask();
}

worker.onmessage = ({ data }) => {
  if (data.failed) place("state").textContent = `Python does not start: ${data.failed}`;
  if (data.number) ran(data);
  if (!data.ready) return;
  state.ready = true;
  place("state").textContent = `Ready in ${(performance.now() / 1000).toFixed(1)} s`;
  ask();
};

function select(command) {
  state.command = command;
  for (const button of place("commands").children) {
    button.setAttribute("aria-selected", String(button.value === command));
    button.tabIndex = button.value === command ? 0 : -1;
  }
  place("editors").setAttribute("aria-labelledby", `tab-${command}`);
  for (const [name, { box }] of Object.entries(editors)) box.hidden = !COMMANDS[command].inputs.includes(name);
  ask();
}

// The arrow keys move between tabs, as screen readers announce.
function moved(event) {
  const tabs = [...place("commands").children];
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = tabs.at(to % tabs.length);
  tab.focus();
  select(tab.value);
}

function fill({ command, files }) {
  for (const [name, { view }] of Object.entries(editors)) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: files[name] ?? "" } });
  }
  clearTimeout(state.timer);
  select(command);
}

async function copy() {
  const hash = `#${await packed({ command: state.command, files: state.files })}`;
  window.history.replaceState(null, "", hash);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const where = isCopied ? "Link copied" : "The link is in the address bar";
  place("state").textContent = hash.length < LONG ? where : `${where}. It has ${location.href.length.toLocaleString("en")} characters: some programs cut it off`;
}

async function follow(examples) {
  const linked = await unpacked(location.hash);
  place("notice").textContent = location.hash.length > 1 && !linked ? CUT_OFF : "";
  fill(linked ?? examples[0]);
}

async function open() {
  for (const name of Object.keys(TITLES)) editors[name] = editor(name);
  for (const [value, { title, about }] of Object.entries(COMMANDS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", id: `tab-${value}`, value, textContent: title, title: `${title} ${about}`, onclick: () => select(value) });
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", "editors");
    place("commands").append(button);
  }
  place("commands").onkeydown = moved;
  const examples = await fetch("./examples.json").then((answer) => answer.json());
  place("example").append(...examples.map(({ title }, number) => new Option(title, String(number))));
  place("example").onchange = ({ target }) => fill(examples[Number(target.value)]);
  place("link").onclick = copy;
  window.onhashchange = () => follow(examples);
  await follow(examples);
}

await open();
