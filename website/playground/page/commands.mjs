// The commands of the page: which texts each needs, and the command line for them.
export const COMMANDS = {
  check: { title: "Check", about: "finds mistakes", inputs: ["pools"], line: (files) => (isPlatform(files.pools) ? ["check", "--file", "pools.yaml"] : ["check", "pools.yaml"]) },
  explain: { title: "Explain", about: "shows which pool a pod lands on", inputs: ["pools", "pods"], line: (files) => ["explain", "pods.yaml", ...source(files)] },
  calendar: { title: "Calendar", about: "shows when nodes may be replaced", inputs: ["pools"], line: (files) => ["calendar", ...source(files)] },
  diff: { title: "Diff", about: "shows what an edit does to nodes", inputs: ["pools", "new"], line: () => ["diff", "pools.yaml", "new.yaml"] },
};
export const TITLES = { pools: "Pools: a platform, or NodePools and node classes", pods: "Pods and workloads", new: "Pools after the edit" };
export const NAMES = { ...TITLES, pools: "Pools" };

// Returns the editor and the line that a place in a file names, such as `pools.yaml:2:1`; the line is undefined if there is none.
export function placeOf(path) {
  const [, name, line] = /^(\w+)\.yaml(?::(\d+))?/.exec(path ?? "") ?? [];
  return Object.hasOwn(TITLES, name ?? "") ? { name, line: line && Number(line) } : null;
}

const isPlatform = (text) => /^clusters\s*:/m.test(text);
const source = (files) => [isPlatform(files.pools) ? "--file" : "--existing", "pools.yaml"];
