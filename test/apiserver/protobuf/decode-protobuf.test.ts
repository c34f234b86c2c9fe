import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { goDecoder } from '../../../src/apiserver/kinds/decode/go-decoder.ts'
import { decodeProtobuf } from '../../../src/apiserver/protobuf/decode-protobuf.ts'
import { gvkOf } from '../../../src/kube/group-version-kind.ts'
import type { KubeObject } from '../../../src/kube/object.ts'
import { BuiltinSchemas } from '../../../src/schema/builtin-schemas.ts'

interface Case {
  /** What a Go client sends, in base64. */
  readonly protobuf: string
  /** What its JSON encoder makes of the same object. */
  readonly json: KubeObject
}

const CASES: readonly Case[] = JSON.parse(readFileSync(new URL('cases.generated.json', import.meta.url), 'utf8'))
const BIN = new URL('../../../src/schema/builtin-schemas.generated.bin', import.meta.url)

describe('decodeProtobuf', () => {
  const schemas = BuiltinSchemas.decode(readFileSync(BIN))

  for (const { protobuf, json } of CASES) {
    it(`reads a ${json.kind} as its JSON would be read`, () => {
      const schema = schemas.get(gvkOf(json))
      const decode = schema ? goDecoder(schema) : (object: KubeObject) => object
      const found = decodeProtobuf(Buffer.from(protobuf, 'base64')) as KubeObject
      expect(decode(found)).to.deep.equal(decode(json))
    })
  }

  const bad: readonly { readonly name: string; readonly bytes: Buffer }[] = [
    { name: 'no prefix', bytes: Buffer.from('{}') },
    { name: 'nothing behind the prefix', bytes: Buffer.from('k8s\0') },
    { name: 'an envelope that ends early', bytes: Buffer.from('k8s\0\x0a\x50abc') },
    { name: 'a varint without end', bytes: Buffer.from(`k8s\0${'\xff'.repeat(20)}`, 'latin1') },
    { name: 'an unknown wire type', bytes: Buffer.from('k8s\0\x0b') },
    { name: 'an unknown kind', bytes: envelope('v1', 'Nothing', Buffer.alloc(0)) },
    { name: 'a number where text is expected', bytes: envelope('v1', 'ConfigMap', Buffer.from([0x08, 0x01])) },
  ]
  for (const { name, bytes } of bad) {
    it(`refuses ${name}`, () => expect(() => decodeProtobuf(bytes)).to.throw(RangeError))
  }

  it('passes over fields that it does not know', () => {
    const body = Buffer.from([0xa0, 0x06, 0x01, 0xa5, 0x06, 0, 0, 0, 0, 0xa1, 0x06, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(decodeProtobuf(envelope('v1', 'ConfigMap', body))).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap' })
  })
})

function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw)])
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes])
}
