import { readFileSync } from 'node:fs'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { expect } from 'chai'
import { Agent, request } from 'undici'
import { systemClock } from '../../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { ApiServer } from '../../../../src/sandbox/apiserver/api-server.ts'

const BIN = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

describe('Client certificates', () => {
  const server = new ApiServer({
    schemas: BuiltinSchemas.decode(readFileSync(BIN)),
    clock: systemClock,
    workloads: false,
    authorization: 'rbac',
  })
  let url = ''
  let ca = ''
  let admin: Agent
  let headers: Record<string, string> = {}

  before(async () => {
    const address = await server.start()
    url = address.url
    ca = address.ca
    headers = { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' }
    admin = new Agent({ connect: { ca } })
  })
  after(async () => {
    await admin.close()
    await server.stop()
  })

  async function send(method: 'GET' | 'POST' | 'PUT', path: string, body?: JsonObject): Promise<JsonObject> {
    const reply = await request(`${url}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      dispatcher: admin,
    })
    return (await reply.body.json()) as JsonObject
  }

  /** As `openssl req -new`, `kubectl certificate approve` and waiting do. */
  async function certificateFor(subject: string, name = 'alice'): Promise<{ cert: string; key: string }> {
    const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
    const wanted = await x509.Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: KEYS })
    const created = await send('POST', REQUESTS, {
      metadata: { name },
      spec: {
        request: Buffer.from(wanted.toString('pem')).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        username: 'mallory',
      },
    })
    expect(created.spec).to.include({ username: 'kubernetes-admin' })
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'approved' }]
    const approved = await send('PUT', `${REQUESTS}/${name}/approval`, { ...created, status: { conditions } })
    expect(approved.status).to.have.nested.property('conditions[0].type', 'Approved')
    const cert = await issued(name)
    const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
    return { cert, key }
  }

  async function issued(name: string): Promise<string> {
    for (;;) {
      const { status } = (await send('GET', `${REQUESTS}/${name}`)) as { status?: { certificate?: string } }
      if (status?.certificate) return Buffer.from(status.certificate, 'base64').toString()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('are signed on approval, and say who their owner is', async () => {
    const { cert, key } = await certificateFor('CN=alice, O=team, O=other')
    const agent = new Agent({ connect: { ca, cert, key } })
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
    const type = { 'content-type': 'application/json' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const who = await request(`${url}${path}`, { method: 'POST', headers: type, body, dispatcher: agent })
    const { status } = (await who.body.json()) as { status: JsonObject }
    expect(status.userInfo).to.include({ username: 'alice' })
    expect(status.userInfo).to.have.deep.property('groups', ['team', 'other', 'system:authenticated'])
    const pods = await request(`${url}/api/v1/pods`, { dispatcher: agent })
    expect(pods.statusCode).to.equal(403)
    expect(((await pods.body.json()) as JsonObject).message).to.match(/User "alice" cannot list resource "pods"/)
    await agent.close()
  })

  it('need not name a group', async () => {
    const { cert, key } = await certificateFor('CN=bob', 'bob')
    const agent = new Agent({ connect: { ca, cert, key } })
    const pods = await request(`${url}/api/v1/pods`, { dispatcher: agent })
    expect(((await pods.body.json()) as JsonObject).message).to.match(/User "bob" cannot list resource "pods"/)
    await agent.close()
  })

  it('are signed after a restart, when they were approved before', async () => {
    const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
    const wanted = await x509.Pkcs10CertificateRequestGenerator.create({ name: 'CN=eve', keys, signingAlgorithm: KEYS })
    const encoded = Buffer.from(wanted.toString('pem')).toString('base64')
    const object = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'kept', uid: 'u', resourceVersion: '5', creationTimestamp: '2020-01-01T00:00:00Z' },
      spec: { request: encoded, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'approved' }] },
    } as unknown as KubeObject
    const objects = [{ resource: 'certificates.k8s.io/certificatesigningrequests', object }]
    const journal = { kept: { revision: 5, objects, changes: [] }, append: () => undefined, open: () => undefined }
    const restarted = new ApiServer({
      schemas: BuiltinSchemas.decode(readFileSync(BIN)),
      clock: systemClock,
      workloads: false,
      journal,
    })
    const gvk = { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' }
    const signed = new Promise<void>((resolve) => {
      restarted.objects.subscribe(gvk, ({ object: { status } }) => {
        if ((status as JsonObject | undefined)?.certificate !== undefined) resolve()
      })
    })
    await restarted.start()
    await signed
    await restarted.stop()
  })

  it('of another authority are refused', async () => {
    const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
    const own = await x509.X509CertificateGenerator.createSelfSigned({ name: 'CN=alice', keys, signingAlgorithm: KEYS })
    const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
    const agent = new Agent({ connect: { ca, cert: own.toString('pem'), key } })
    const reply = await request(`${url}/api`, { dispatcher: agent })
    expect(reply.statusCode).to.equal(401)
    await reply.body.dump()
    await agent.close()
  })
})
