import type { Step } from '../exchange.ts'
import { MAPS } from '../map-steps.ts'

const sent = (name: string, text: string, query = ''): Step => ({
  name,
  method: 'POST',
  path: `${MAPS}?dryRun=All${query}`,
  headers: { 'content-type': 'application/yaml' },
  text,
})
const applied = (name: string, text: string, query = ''): Step => ({
  name: `applied: ${name}`,
  method: 'PATCH',
  path: `${MAPS}/m?dryRun=All&fieldManager=f${query}`,
  headers: { 'content-type': 'application/apply-patch+yaml' },
  text: `apiVersion: v1\nkind: ConfigMap\n${text}`,
})
const HEAD = 'metadata: {name: m}\n'
const KEYS = `${HEAD}data: {404: "x", true: "y", 1.5: "z", off: "w"}\n`
const TWICE = `${HEAD}data:\n  a: "1"\ndata:\n  b: "2"\n`
const INNER = `${HEAD}data:\n  a: "1"\n  a: "2"\n  b: "3"\n  b: "4"\n`
const MERGED = `${HEAD}data: &x {a: "1", b: "2"}\nbinaryData: {}\nimmutable: no\n`
const UNKNOWN = `${HEAD}z: 1\nb: 2\ndata:\n  a: "1"\n  a: "2"\n`

export const steps: readonly Step[] = [
  sent('keys that are no text', KEYS),
  sent('a key twice', TWICE),
  sent('a key twice, strictly', TWICE, '&fieldValidation=Strict'),
  sent('a key twice, and it does not matter', TWICE, '&fieldValidation=Ignore'),
  sent('keys twice within', INNER),
  sent('keys twice within, strictly', INNER, '&fieldValidation=Strict'),
  sent('anchors and old switches', MERGED),
  sent('a number for a text', `${HEAD}data: {a: 0644}\n`),
  sent('unknown fields', UNKNOWN),
  sent('unknown fields, strictly', UNKNOWN, '&fieldValidation=Strict'),
  applied('keys that are no text', KEYS),
  applied('a key twice', TWICE),
  applied('a key twice, strictly', TWICE, '&fieldValidation=Strict'),
  applied('keys twice within', INNER),
]
