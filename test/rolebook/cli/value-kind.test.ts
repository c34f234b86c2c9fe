import { expect } from 'chai'
import {
  ADDRESS,
  COUNT,
  DURATION,
  NAMESPACE,
  NAMESPACES,
  OBJECT_NAME,
  oneOf,
  PERIOD,
  RATE,
  SEED,
  SHARDS,
  SWITCH,
  TEXT,
  TIMEOUT,
  type ValueKind,
} from '../../../src/rolebook/cli/value-kind.ts'

interface Case {
  readonly name: string
  readonly kind: ValueKind<unknown>
  /** Texts and what they mean. */
  readonly taken: Readonly<Record<string, unknown>>
  readonly refused: readonly string[]
}

const cases: readonly Case[] = [
  { name: 'a text', kind: TEXT, taken: { a: 'a', ' ': ' ' }, refused: [''] },
  { name: 'a switch', kind: SWITCH, taken: { true: true, false: false }, refused: ['', 'yes', '1', 'TRUE'] },
  {
    name: 'a duration',
    kind: DURATION,
    taken: { '0s': 0, '500ms': 500, '1m30s': 90_000, '500h': 1_800_000_000 },
    refused: ['', '15', '-1s', '501h', 'soon', '1d'],
  },
  { name: 'a timeout', kind: TIMEOUT, taken: { '1ms': 1, '15s': 15_000 }, refused: ['0s', '15', '501h'] },
  {
    name: 'a period',
    kind: PERIOD,
    taken: { '0s': 0, '10s': 10_000, '10h': 36_000_000 },
    refused: ['1ms', '9s', '501h', '10', ''],
  },
  { name: 'a count', kind: COUNT, taken: { 1: 1, 10000: 10_000 }, refused: ['0', '-1', '1.5', '10001', '1e3', ''] },
  {
    name: 'what chance begins with',
    kind: SEED,
    taken: { 0: 0, 999999999: 999_999_999 },
    refused: ['', '-1', '1.5', '1000000000'],
  },
  { name: 'a number of shards', kind: SHARDS, taken: { 1: 1, 64: 64 }, refused: ['', '0', '65', '100', '1.5'] },
  { name: 'a rate', kind: RATE, taken: { 0: 0, '0.5': 0.5, 50: 50 }, refused: ['-1', '.5', '1e3', 'NaN', ''] },
  {
    name: 'namespaces',
    kind: NAMESPACES,
    taken: { '': 'all', ' , ': 'all', a: ['a'], ' a, b-2 ,': ['a', 'b-2'] },
    refused: ['A', 'a b', '*', 'a,-b', 'x'.repeat(64)],
  },
  { name: 'a namespace', kind: NAMESPACE, taken: { a: 'a', 'a-1': 'a-1' }, refused: ['', 'a.b', '-a', 'a-', 'A'] },
  {
    name: 'the name of an object',
    kind: OBJECT_NAME,
    taken: { 'a.b-c': 'a.b-c' },
    refused: ['', 'A', 'a_b', '.a', 'a'.repeat(254)],
  },
  {
    name: 'an address',
    kind: ADDRESS,
    taken: {
      0: 'off',
      ':8443': { host: '', port: 8443 },
      ':0': { host: '', port: 0 },
      '127.0.0.1:1': { host: '127.0.0.1', port: 1 },
      'localhost:80': { host: 'localhost', port: 80 },
      '[::1]:8443': { host: '::1', port: 8443 },
    },
    refused: ['', '8443', ':65536', ':', 'a:b', '::1:80', 'http://a:1', ':123456'],
  },
  { name: 'one of a few words', kind: oneOf('glad', 'sad'), taken: { sad: 'sad' }, refused: ['', 'Sad', 'odd'] },
]

describe('the text of a setting', () => {
  for (const { name, kind, taken, refused } of cases) {
    it(`is ${name}`, () => {
      for (const [text, value] of Object.entries(taken)) expect(kind.parse(text), text).to.deep.equal(value)
      for (const text of refused) expect(kind.parse(text), text).to.equal(undefined)
      expect(kind.expected).to.match(/^Expected .*\.$/)
    })
  }
})
