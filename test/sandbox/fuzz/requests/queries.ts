import type { Corpus } from '../corpus.ts'
import { collectionPath, type FuzzRequest, NAMES, NAMESPACES } from '../fuzz-request.ts'
import { junkText } from '../junk.ts'
import type { Random } from '../random.ts'

const PARAMETERS = [
  ...['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'labelSelector', 'fieldSelector', 'dryRun'],
  ...['fieldManager', 'force', 'fieldValidation', 'propagationPolicy', 'gracePeriodSeconds', 'orphanDependents'],
  ...['timeoutSeconds', 'sendInitialEvents', 'allowWatchBookmarks', 'includeObject', 'pretty', 'timeout', '__proto__'],
] as const

const VALUES = [
  ...['1', '0', '-1', '2', '99999999999999999999', '1e3', 'true', 'false', 'All', 'Exact', 'NotOlderThan', 'None'],
  ...['a=b', 'a!=b', 'a in (b,c)', 'a notin (b', '!a', 'a,b,c', 'a>1', 'a<x', 'a==b', ',', '(', 'in in (in)'],
  ...['metadata.name=a', 'metadata.namespace!=b', 'spec.nodeName=', 'status.phase==x', 'a\\,b=c', '=', 'x=y=z'],
  ...['Strict', 'Warn', 'Ignore', 'Foreground', 'Orphan', '', 'NaN', '\u0000', 'a'.repeat(2000)],
] as const

/** `?…` of parameters that the API knows, with values that fit seldom. */
export function junkQuery(random: Random): string {
  const pairs = random.several(4, () => {
    const name = random.chance(0.95) ? random.pick(PARAMETERS) : encode(junkText(random))
    return `${name}=${random.chance(0.1) ? encode(continueToken(random)) : encode(value(random))}`
  })
  return `?${pairs.join(random.chance(0.95) ? '&' : ';')}`
}

/** Lists, pages and watches. */
export function listRequest(random: Random, corpus: Corpus): FuzzRequest {
  const target = random.pick(corpus.targets)
  const path = collectionPath(target, random.pick(NAMESPACES))
  const watch = random.chance(0.2) ? '&watch=1&timeoutSeconds=1' : ''
  const named = random.chance(0.2) ? `/${random.pick(NAMES)}` : ''
  const headers: FuzzRequest['headers'] = random.chance(0.5) ? [['Accept', random.pick(ACCEPTS)]] : []
  return { topic: 'lists', method: 'GET', path: path + named + junkQuery(random) + watch, headers, body: undefined }
}

export const ACCEPTS = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/yaml',
  'text/html',
  '*/*;q=0',
  ';;;=,',
  'application/json;as=Table;v=__proto__;g=constructor',
] as const

/** A token with some right parts. */
function continueToken(random: Random): string {
  const token = {
    v: random.pick(['meta.k8s.io/v1', 'v2', 1]),
    rv: random.pick([1, 0, -1, 5, 2 ** 53, 1.5, '7', null]),
    start: random.pick(['default/a\u0000', 'a', '', '../x', '\ud800', 'control/x\u0000', null]),
  }
  const text = random.pick([JSON.stringify(token), JSON.stringify(token).slice(0, random.below(30)), junkText(random)])
  return Buffer.from(text).toString(random.pick(['base64url', 'base64', 'hex']))
}

function value(random: Random): string {
  return random.chance(0.9) ? random.pick(VALUES) : junkText(random)
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
