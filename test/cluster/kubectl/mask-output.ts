import { canonicalJson } from '../../../src/core/base/json.ts'

/** Takes out of a line what differs from run to run: ages, addresses, random names, identities. */
export function maskOutput(lines: readonly string[], unordered: boolean): readonly string[] {
  const masked = lines.map((line) => maskLine(line)).filter((line) => line !== '')
  return unordered ? masked.sort() : masked
}

/** The same for a request, `GET /path?query 200`. */
export function maskRequest(request: string): string {
  return maskNames(request)
    .replace(/(resourceVersion=)\d+/g, '$1<rv>')
    .replace(
      /(fieldSelector=)([^& ]*)/,
      (_all, name: string, terms: string) => name + terms.split('%2C').sort().join('%2C'),
    )
    .replace(/(pod-template-hash%3D)\w+/g, '$1<hash>')
    .replace(/(hash=)[0-9A-F]+/g, '$1<hash>')
    .replace(/(continue=)[\w-]+/g, '$1<token>')
    .replace(/(timeoutSeconds=)\d+/g, '$1<n>')
    .replace(UID, '<uid>')
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

type Mask = readonly [pattern: RegExp, by: string]

/** What is random all through: by chance, a part of it looks like a name that a controller has made. */
const RANDOM: readonly Mask[] = [
  [/\b(LIVE|MERGED)-\d+/g, '$1'],
  [/(kubectl-edit-)\d+/g, '$1'],
  [/\beyJ[\w.-]+/g, '<token>'],
  [UID, '<uid>'],
]

const MASKS: readonly Mask[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, '<time>'],
  [/(Resource Version:\s+)\d+/g, '$1<rv>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<time>'],
  [/(resourceVersion\\*["']?: ?\\*["']?)\d+/g, '$1<rv>'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<ip>'],
  [/127\.0\.0\.1:\d+/g, '<server>'],
  [/:3[012]\d{3}\b|\b3[012]\d{3}\/TCP|\b3[012]\d{3}$/g, '<nodeport>'],
  [/\b(\d+s|\d+m\d*s?)( ago)?\b/g, '<age>'],
  [/\(x\d+ over <age>\)/g, ''],
]

/** The same object, in whatever order its fields stand. */
function sortFields(line: string): string {
  if (!line.startsWith('{')) return line
  try {
    return canonicalJson(JSON.parse(line))
  } catch {
    return line
  }
}

function maskLine(line: string): string {
  return replaceAll(maskNames(replaceAll(sortFields(line), RANDOM)), MASKS)
    .replace(/<age>( ago)?/g, '<age>')
    .replace(/\s+/g, ' ')
    .trimEnd()
}

function replaceAll(text: string, masks: readonly Mask[]): string {
  return masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}

/** Hashes of templates, and what the server or a controller adds to a name. */
function maskNames(text: string): string {
  return text
    .replace(
      /(pod-template-hash|controller-revision-hash|controllerrevision)(["']?[:=] ?["']?)([\w-]+-)?[\da-z]{6,10}/g,
      '$1$2$3<hash>',
    )
    .replace(/-[bcdf0-9][bcdfghjklmnpqrstvwxz2456789]{7,9}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<hash>-<id>')
    .replace(/-(?=[a-f]*\d)[bcdf4-9][bcdf4-9]{7,9}\b/g, '-<hash>')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<id>')
    .replace(/\.[0-9a-f]{16}\b/g, '.<event>')
}
