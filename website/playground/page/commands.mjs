// The commands of the page: which texts each needs or can have, and the command line for them.
export const COMMANDS = {
  check: { title: "Check", about: "finds mistakes", inputs: ["pools"], line: (files) => (isPlatform(files.pools) ? ["check", "--file", "pools.yaml"] : ["check", "pools.yaml"]) },
  explain: { title: "Explain", about: "shows which pool a pod lands on", inputs: ["pools", "pods"], line: (files) => ["explain", "pods.yaml", ...source(files)] },
  capacity: { title: "Capacity", about: "counts the addresses, ports and vCPUs that clusters need", inputs: ["pools"], line: (files) => ["capacity", ...source(files)] },
  upgrade: {
    title: "Upgrade", about: "lists the steps to another Kubernetes version, and what blocks them", inputs: ["pools"], optional: ["pods"],
    line: (files, to) => ["upgrade", ...source(files), ...(to ? ["--to", to] : []), ...(files.pods.trim() ? ["--workloads", "pods.yaml"] : [])],
  },
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

// The texts that a command reads: those that it needs, and those that it can have.
export const textsOf = ({ inputs, optional = [] }) => [...inputs, ...optional];

const isPlatform = (text) => /^clusters\s*:/m.test(text);
const source = (files) => [isPlatform(files.pools) ? "--file" : "--existing", "pools.yaml"];
