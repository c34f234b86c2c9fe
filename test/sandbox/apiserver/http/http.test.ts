import { connect } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { negotiate } from '../../../../src/sandbox/apiserver/http/accept.ts'
import { parseApiPath } from '../../../../src/sandbox/apiserver/http/api-path.ts'
import { parseHostileJson } from '../../../../src/sandbox/apiserver/http/hostile-json.ts'
import { managerOfAgent } from '../../../../src/sandbox/apiserver/http/write-options.ts'
import { configMap, Sandbox } from '../sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

describe('Paths', () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    'api/v1/pods': ' v1 undefined pods  ',
    'api/v1/namespaces': ' v1 undefined namespaces  ',
    'api/v1/namespaces/a': ' v1 undefined namespaces a ',
    'api/v1/namespaces/a/status': ' v1 undefined namespaces a status',
    'api/v1/namespaces/a/finalize': ' v1 undefined namespaces a finalize',
    'api/v1/namespaces/a/pods': ' v1 a pods  ',
    'api/v1/namespaces/a/pods/b/log': ' v1 a pods b log',
    'apis/apps/v1/namespaces/a/deployments/b': 'apps v1 a deployments b ',
    'apis/apps/v1/namespaces/a/deployments/b/c/d': 'apps v1 a deployments b c/d',
    'apis/rbac.authorization.k8s.io/v1/clusterroles/x:y': 'rbac.authorization.k8s.io v1 undefined clusterroles x:y ',
    'apis/apps/v1': undefined,
    'api/v1': undefined,
    'api/v1/': undefined,
    'api/v1//pods': undefined,
    'other/v1/pods': undefined,
  }
  for (const [path, expected] of Object.entries(cases)) {
    it(`${path} is ${expected ? 'a resource' : 'none'}`, () => {
      const found = parseApiPath(path.split('/'))
      const text = found && [found.group, found.version, found.namespace, found.plural, found.name, found.subresource]
      expect(text?.map(String).join(' ')).to.equal(expected)
    })
  }
})

describe('Accept headers', () => {
  const isTable = ({ kind }: { readonly kind: string }): boolean => kind === 'Table'
  const kinds: Readonly<Record<string, string | undefined>> = {
    '': undefined,
    '*/*': undefined,
    'application/json': undefined,
    'application/vnd.kubernetes.protobuf,application/json': undefined,
    'application/vnd.kubernetes.protobuf, */*': undefined,
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json': 'Table',
    'application/json;as=Other;v=v1;g=x,application/json;as=Table;v=v1;g=meta.k8s.io': 'Table',
    'application/json;q=0.1,application/json;as=Table;v=v1;g=meta.k8s.io;q=0.9': 'Table',
  }
  for (const [header, kind] of Object.entries(kinds)) {
    it(`"${header}" gets ${kind ?? 'the object itself'}`, () => {
      expect(negotiate(header, { isServed: isTable, withYaml: false }).transform?.kind).to.equal(kind)
    })
  }

  for (const header of ['text/html', 'application/json;as=Other', 'application/cbor']) {
    it(`"${header}" gets nothing`, () =>
      expect(() => negotiate(header, { isServed: isTable, withYaml: false })).to.throw(
        /Not Acceptable|only the following media types/,
      ))
  }
})

describe('Bodies', () => {
  it('may be nested, within reason', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(() => parseHostileJson(nested(900))).not.to.throw()
    expect(() => parseHostileJson(nested(1001))).to.throw('exceeded max depth')
    expect(() => parseHostileJson(`{"a":"${'}'.repeat(5000)}","b":${nested(1001)}}`)).to.throw('exceeded max depth')
    expect(parseHostileJson(`{"a":"${'{'.repeat(5000)}"}`)).to.be.an('object')
  })

  it('may not end within a string, which is seen in linear time', () => {
    const many = '['.repeat(1001)
    // With backtracking this takes a quarter of a minute.
    expect(() => parseHostileJson(`"${'\\"'.repeat(100_000)}${many}`)).to.throw(SyntaxError)
  }).timeout(5_000)

  it('may not touch prototypes', () => {
    for (const key of ['"__proto__"', '"__pr\\u006fto__"', '"\\u005f_proto__"']) {
      expect(() => parseHostileJson(`{"a":[{${key}:{"x":1}}]}`), key).to.throw('__proto__')
    }
    expect(parseHostileJson('{"constructor":{"prototype":1},"proto":"\\u0041"}')).to.be.an('object')
  })

  it('name their manager in what can be printed', () => {
    expect(managerOfAgent('kubectl/v1.36 (linux)')).to.equal('kubectl')
    expect(managerOfAgent('')).to.equal('unknown')
    expect(managerOfAgent('a\u0000b\u00a0\u200b')).to.equal('ab')
    expect(managerOfAgent('m'.repeat(500))).to.have.length(128)
  })
})

describe('The HTTP server', () => {
  const sandbox = new Sandbox()
  before(() => sandbox.start())
  after(() => sandbox.stop())

  it('refuses bodies of more than 3 MiB', async () => {
    const answer = await sandbox.send('POST', MAPS, { body: Buffer.alloc(3 * 1024 * 1024 + 1, 0x20) })
    expect(answer.status).to.equal(413)
    expect(answer.body.reason).to.equal('RequestEntityTooLarge')
  })

  it('shows Prometheus how many objects it stores', async () => {
    const metadata = { name: 'counted', namespace: 'default' }
    sandbox.objects.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata }, 'test')
    const { status, headers, text } = await sandbox.send('GET', '/metrics')
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).to.match(/^# TYPE apiserver_storage_objects gauge$/m)
    expect(text).to.match(/^apiserver_storage_objects\{resource="namespaces"\} 4$/m)
    expect(text).to.match(/^apiserver_storage_objects\{resource="leases.coordination.k8s.io"\} 1$/m)
  })

  it('takes bodies that come in pieces', async () => {
    const answer = await sandbox.send('POST', MAPS, { body: configMap('large', { data: { a: 'x'.repeat(900_000) } }) })
    expect(answer.status).to.equal(201)
  })

  it('refuses paths that cannot be decoded', async () => {
    expect((await sandbox.send('GET', '/api/v1/namespaces/%ff/pods')).status).to.equal(400)
  })

  it('reads encoded names', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    await sandbox.send('POST', path, { body: { metadata: { name: 'system:x' }, rules: [] } })
    expect((await sandbox.send('GET', `${path}/system%3Ax`)).status).to.equal(200)
  })

  it('repeats a question of its own to a client that broke off', async () => {
    await rawRequest(sandbox.url, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc')
    expect((await sandbox.send('GET', '/readyz')).status).to.equal(200)
  })

  it('survives what is no HTTP', async () => {
    await rawRequest(sandbox.url, '\u0000\u0001 nonsense\r\n\r\n')
    expect((await sandbox.send('GET', '/readyz')).status).to.equal(200)
  })

  it('creates by PUT where the kind allows it', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l'
    const body = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me' },
    }
    const created = await sandbox.send('PUT', path, { body })
    expect(created.status).to.equal(201)
    expect((await sandbox.send('PUT', path, { body: created.body })).status).to.equal(200)
    expect((await sandbox.send('PUT', path, { body })).status).to.equal(422)
  })

  it('warns of finalizers without a domain on custom resources', async () => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
    const spec = { group: 'a.io', scope: 'Namespaced', names: { plural: 'as', kind: 'A' }, versions }
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'as.a.io' },
      spec,
    }
    await sandbox.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: crd })
    const body = {
      apiVersion: 'a.io/v1',
      kind: 'A',
      metadata: { name: 'a', finalizers: ['plain', 'with.dot', 'x/y', 'a b'] },
    }
    const path = '/apis/a.io/v1/namespaces/default/as'
    expect((await sandbox.send('POST', path, { body })).status).to.equal(422)
    const fine = { ...body, metadata: { name: 'a', finalizers: ['plain', 'with.dot', 'x/y'] } }
    const { headers } = await sandbox.send('POST', path, { body: fine })
    expect(headers.warning).to.have.length(2)
  })
})

function rawRequest(url: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(text))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
    setTimeout(() => socket.destroy(), 200)
  })
}

describe('YAML', () => {
  const yaml = { 'content-type': 'application/yaml' }
  const apply = { 'content-type': 'application/apply-patch+yaml' }

  it('is refused by a server that cannot read it, but for JSON in its name', async () => {
    const sandbox = new Sandbox()
    await sandbox.start()
    expect((await sandbox.send('POST', MAPS, { body: 'a: b', headers: yaml })).status).to.equal(415)
    const path = `${MAPS}/a?fieldManager=m`
    expect((await sandbox.send('PATCH', path, { body: 'a: b', headers: apply })).status).to.equal(400)
    expect((await sandbox.send('PATCH', path, { body: configMap('a'), headers: apply })).status).to.equal(201)
    await sandbox.stop()
  })

  it('is read by the parser that the server is given', async () => {
    const parseYaml = (text: string): { value: JsonObject; duplicates: readonly string[] } => {
      if (text === 'broken') throw new Error('broken')
      return { value: configMap(text) as JsonObject, duplicates: [] }
    }
    const sandbox = new Sandbox({ parseYaml })
    await sandbox.start()
    expect((await sandbox.send('POST', MAPS, { body: 'one', headers: yaml })).status).to.equal(201)
    expect((await sandbox.send('POST', MAPS, { body: 'broken', headers: yaml })).status).to.equal(400)
    expect(
      (await sandbox.send('PATCH', `${MAPS}/two?fieldManager=m`, { body: 'two', headers: apply })).status,
    ).to.equal(201)
    await sandbox.stop()
  })
})
