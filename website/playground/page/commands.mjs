// The commands of the page: which texts each needs, and the command line for them.
export const COMMANDS = {
  check: { title: "Check", inputs: ["pools"], line: (files) => (isPlatform(files.pools) ? ["check", "--file", "pools.yaml"] : ["check", "pools.yaml"]) },
  explain: { title: "Explain", inputs: ["pools", "pods"], line: (files) => ["explain", "pods.yaml", ...source(files)] },
  windows: { title: "Windows", inputs: ["pools"], line: (files) => ["windows", ...source(files)] },
  diff: { title: "Diff", inputs: ["pools", "new"], line: () => ["diff", "pools.yaml", "new.yaml"] },
};
export const TITLES = { pools: "Pools: a platform, or NodePools and node classes", pods: "Pods and workloads", new: "Pools after the edit" };

const isPlatform = (text) => /^clusters\s*:/m.test(text);
const source = (files) => [isPlatform(files.pools) ? "--file" : "--pools", "pools.yaml"];
