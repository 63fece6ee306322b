// Runs the command line of nodepools in a worker, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/site";

// Puts the modules where Python finds them. The files share the memory of the download.
function unpack(files, bytes) {
  const size = new DataView(bytes).getUint32(0);
  let at = 4 + size;
  for (const [name, length] of JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)))) {
    const path = `${HOME}/${name}`;
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, new Uint8Array(bytes, at, length), { canOwn: true });
    at += length;
  }
}

async function started() {
  const [python, files, list, program] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch("./python.bin").then((answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()),
    fetch("./tables.json").then((answer) => answer.json()),
    fetch("./worker.py").then((answer) => answer.text()),
  ]);
  unpack(python.FS, files);
  for (const name of list) {
    // A table is fetched when a command first reads it.
    python.FS.createLazyFile(`${HOME}/nodepools/data`, name, new URL(`./tables/${name}`, import.meta.url).href, true, false);
  }
  python.runPython(program);
  return python.globals.get("answer");
}

const answer = started();
answer.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

// Python does not run on after such an error.
let failed = "";
const reason = (error) => (String(error).includes("NetworkError") ? "A table of the clouds could not be loaded. Check the connection" : `This is a bug of nodepools:\n${error}\nCopy your input`);

// The page shows the JSON at once; the text, which takes as long again, follows.
onmessage = async ({ data }) => {
  const run = await answer;
  const { number } = data;
  if (failed) return postMessage({ number, json: "", text: failed });
  try {
    const json = run(JSON.stringify(data), "json");
    postMessage({ number, json });
    postMessage({ number, json, text: run(JSON.stringify(data), "text") });
  } catch (error) {
    failed = `${reason(error)}, then reload the page.`;
    postMessage({ number, json: "", text: failed });
  }
};
