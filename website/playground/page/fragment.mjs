// The input of the page as the fragment of its address: compressed, in base64 for addresses.
import { COMMANDS, TITLES } from "./commands.mjs";

const CHUNK = 8192; // a call takes a limited number of arguments

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const isInput = ({ command, files, to = "" }) => typeof to === "string" && Object.hasOwn(COMMANDS, command) && Object.entries(files).every(([name, text]) => Object.hasOwn(TITLES, name) && typeof text === "string");

export async function packed(input) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(input)));
  const parts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, number) => String.fromCharCode(...bytes.subarray(number * CHUNK, (number + 1) * CHUNK)));
  return btoa(parts.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Returns the input, or null if there is none, or if it is not what a link of this page holds: cut off, damaged, or of another version.
export async function unpacked(hash) {
  if (hash.length < 2) return null;
  try {
    const text = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
    const input = JSON.parse(new TextDecoder().decode(bytes));
    return isInput(input) ? input : null;
  } catch {
    return null;
  }
}
