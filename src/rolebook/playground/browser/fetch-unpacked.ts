/**
 * A file beside the page, unpacked by the browser.
 *
 * @throws Error when it is not there
 */
export async function fetchUnpacked(name: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(name, import.meta.url))
  if (!answer.ok || !answer.body) throw new Error(`cannot fetch ${name}: the server answers ${answer.status}`)
  const unpacked = answer.body.pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(unpacked).arrayBuffer())
}
