// The input of the page as the fragment of its address: compressed, in base64 for addresses.
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function packed(input) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(input)));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Returns the input, or null if there is none or if it was cut off.
export async function unpacked(hash) {
  if (hash.length < 2) return null;
  try {
    const text = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
    const { command, files } = JSON.parse(new TextDecoder().decode(bytes));
    return { command, files };
  } catch {
    return null;
  }
}
