// Compiles Python modules with the Python of the page: `node compile.mjs NODE_MODULES SOURCE OUT`. Compiling in the browser would take seconds at each visit,
// and so would an archive that Python unpacks there: the file has the names and sizes of all modules, then their bytes, compressed as a whole.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [modules, source, out] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide();
python.mountNodeFS("/source", source);
python.mountNodeFS("/out", resolve(out, ".."));
python.globals.set("out", `/out/${out.split("/").at(-1)}`);
python.runPython(`
import gzip, json, py_compile
from pathlib import Path

sizes, contents = [], []
for file in sorted(path for path in Path("/source").rglob("*") if path.is_file()):
    name = file.relative_to("/source")
    if file.suffix == ".py":
        py_compile.compile(str(file), cfile="/tmp/module.pyc", dfile=str(name), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        name, file = name.with_suffix(".pyc"), Path("/tmp/module.pyc")
    contents.append(file.read_bytes())
    sizes.append([str(name), len(contents[-1])])
head = json.dumps(sizes).encode()
Path(out).write_bytes(gzip.compress(b"".join([len(head).to_bytes(4, "big"), head, *contents]), mtime=0))
`);
