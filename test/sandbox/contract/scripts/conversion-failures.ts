import type { JsonObject } from '../../../../src/core/base/json.ts'
import { conversionBy, creationOfCrd, servedVersions } from '../conversion-steps.ts'
import type { Step } from '../exchange.ts'
import { customPath } from '../object-steps.ts'

const CACHE = 'its cache of a version may be about to be filled again'

interface Case {
  readonly name: string
  readonly conversion: JsonObject
}

const answered = (answer: string): Case => ({ name: answer, conversion: conversionBy(answer) })
const kindOf = ({ name }: Case): string => `C${name.replace(/[^a-z0-9]/g, '')}`

/** An object of `v1` that is asked for in `v2`: what the server makes of the answer of the webhook. */
function uses(each: Case): readonly Step[] {
  const kind = kindOf(each)
  const [old, recent] = ['v1', 'v2'].map((version) => customPath(`${kind.toLowerCase()}s`, version)) as [string, string]
  const one = {
    apiVersion: '{ns}.example.com/v1',
    kind,
    metadata: { name: 'one', labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/one'] },
    spec: { size: 1, colour: 'red' },
  }
  const two = { apiVersion: '{ns}.example.com/v2', kind, metadata: { name: 'two' }, spec: { length: '2' } }
  return [
    { name: `${each.name}: an object`, method: 'POST', path: old, body: one },
    { name: each.name, method: 'GET', path: `${recent}/one` },
    { name: `${each.name}: a list`, method: 'GET', path: recent, unpromised: CACHE },
    { name: `${each.name}: created`, method: 'POST', path: recent, body: two },
  ]
}

const CASES: readonly Case[] = [
  answered('convert'),
  answered('convert-asked'),
  answered('convert-wrong-uid'),
  answered('convert-no-response'),
  answered('convert-no-result'),
  answered('convert-failed'),
  answered('convert-failed-silently'),
  answered('convert-none'),
  answered('convert-twice'),
  answered('convert-to-text'),
  answered('convert-to-nothing'),
  answered('convert-not'),
  answered('convert-kind'),
  answered('convert-name'),
  answered('convert-namespace'),
  answered('convert-object-uid'),
  answered('convert-finalizers'),
  answered('convert-labels'),
  answered('convert-bad-labels'),
  answered('convert-bad-annotations'),
  answered('convert-number-labels'),
  answered('convert-list-labels'),
  answered('convert-no-metadata'),
  answered('convert-list-metadata'),
  answered('convert-unknown'),
  answered('convert-wrong-kind'),
  answered('convert-old-version'),
  answered('convert-no-kind'),
  answered('convert-wrong-type'),
  answered('no-json'),
  answered('an-empty-object'),
  answered('code-500'),
  answered('code-403-text'),
  answered('code-404'),
  answered('close'),
  { name: 'nobody', conversion: conversionBy('convert', { url: 'https://127.0.0.1:1/convert' }) },
  { name: 'untrusted', conversion: conversionBy('convert', { caBundle: null }) },
  { name: 'by an old review', conversion: conversionBy('convert', {}, ['v1beta1']) },
  { name: 'by the first review known', conversion: conversionBy('convert', {}, ['v7', 'v1', 'v1beta1']) },
]

/** What the server says of webhooks that do not convert, or not rightly. The real one takes its time until a CRD is served. */
export const steps: readonly Step[] = [
  ...CASES.map((each) => creationOfCrd(kindOf(each), each.conversion)),
  ...CASES.flatMap((each) => servedVersions(kindOf(each))),
  ...CASES.flatMap(uses),
]
