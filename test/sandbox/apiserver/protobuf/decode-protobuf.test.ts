import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { apiVersionOf, gvkOf } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { builtinResources } from '../../../../src/sandbox/apiserver/builtin-resources.ts'
import { crdRulesOf } from '../../../../src/sandbox/apiserver/crd/crd-rules.ts'
import { builtinKinds } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import { goDecoder } from '../../../../src/sandbox/apiserver/kinds/decode/empty-parts.ts'
import { decodeProtobuf } from '../../../../src/sandbox/apiserver/protobuf/decode-protobuf.ts'
import { convertWellKnown } from '../../../../src/sandbox/apiserver/protobuf/well-known-types.ts'

interface Case {
  /** What a Go client sends, in base64. */
  readonly protobuf: string
  /** What its JSON encoder makes of the same object. */
  readonly json: KubeObject
}

const CASES: readonly Case[] = JSON.parse(readFileSync(new URL('cases.generated.json', import.meta.url), 'utf8'))
const BIN = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)

describe('decodeProtobuf', () => {
  const schemas = BuiltinSchemas.decode(readFileSync(BIN))

  const decoderFor = (object: KubeObject): ((object: KubeObject) => KubeObject) => {
    const schema = schemas.get(gvkOf(object))
    const ofCrds = object.kind === 'CustomResourceDefinition' ? crdRulesOf(schemas).decode : undefined
    return ofCrds ?? (schema ? goDecoder(schema) : (given) => given)
  }

  for (const { protobuf, json } of CASES) {
    it(`reads a ${json.kind} as its JSON would be read`, () => {
      const decode = decoderFor(json)
      const found = decodeProtobuf(Buffer.from(protobuf, 'base64')) as KubeObject
      expect(decode(found)).to.deep.equal(decode(json))
    })
  }

  it('knows every kind that the sandbox serves', () => {
    const kinds = builtinResources(schemas, [...builtinKinds(schemas), crdRulesOf(schemas)]).map(
      ({ group, version, kind }) => ({ apiVersion: apiVersionOf({ group, version }), kind }),
    )
    expect(kinds).to.deep.include({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' })
    for (const { apiVersion, kind } of kinds) {
      expect(decodeProtobuf(envelope(apiVersion, kind, Buffer.alloc(0)))).to.deep.equal({ apiVersion, kind })
    }
  })

  it('refuses schemas within schemas without end', () => {
    let schema: Buffer = Buffer.alloc(0)
    for (let depth = 0; depth < 1001; depth++) schema = field(28, schema)
    const spec = field(7, field(4, field(1, schema)))
    const crd = envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', field(2, spec))
    expect(() => decodeProtobuf(crd)).to.throw(RangeError, 'exceeded max depth')
  })

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

  const empty: readonly { readonly message: string; readonly json: JsonValue }[] = [
    { message: 'api.resource.Quantity', json: '0' },
    { message: 'util.intstr.IntOrString', json: 0 },
    { message: 'api.authentication.v1.ExtraValue', json: [] },
    { message: 'apis.apiextensions.v1.JSONSchemaPropsOrArray', json: null },
    { message: 'apis.apiextensions.v1.JSONSchemaPropsOrBool', json: false },
    { message: 'apis.meta.v1.FieldsV1', json: null },
    { message: 'apis.meta.v1.Time', json: null },
  ]
  for (const { message, json } of empty) {
    it(`reads an empty ${message} as ${JSON.stringify(json)}`, () => {
      expect(convertWellKnown(message, {})).to.deep.equal(json)
    })
  }

  it('fills up what stands for an empty text or fraction', () => {
    expect(convertWellKnown('util.intstr.IntOrString', { type: 1 })).to.equal('')
    expect(convertWellKnown('apis.meta.v1.MicroTime', { seconds: 0 })).to.equal('1970-01-01T00:00:00.000000Z')
  })

  it('reads options, which every group has, and bodies of a kind alone', () => {
    const options = envelope('v1', 'DeleteOptions', field(4, Buffer.from('Foreground')))
    const expected = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' }
    expect(decodeProtobuf(options)).to.deep.equal(expected)
    const type = field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('ConfigMap'))]))
    const alone = Buffer.concat([Buffer.from('k8s\0'), type])
    expect(decodeProtobuf(alone)).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap' })
  })

  it('reads no fields from what is no object', () => {
    expect(decodeProtobuf(envelope('v1', 'Time', Buffer.alloc(0)))).to.deep.equal({ apiVersion: 'v1', kind: 'Time' })
  })

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
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  return value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 127) | 128), varint(value >>> 7)])
}
