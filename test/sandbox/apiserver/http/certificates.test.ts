import { X509Certificate } from 'node:crypto'
import 'reflect-metadata'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { expect } from 'chai'
import { createServerCertificate, signClientRequest } from '../../../../src/sandbox/apiserver/http/certificates.ts'

const TIMES = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2026, 0, 2) }

describe('Certificates', () => {
  it('are signed only for the holder of the key of the request', async () => {
    const { ca, caKey = '' } = await createServerCertificate(TIMES.from)
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const wanted = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=jane', keys, signingAlgorithm })
    const signed = new X509Certificate(await signClientRequest(wanted.toString('pem'), caKey, TIMES))
    expect(signed.subject).to.equal('CN=jane')
    expect(signed.verify(new X509Certificate(ca).publicKey)).to.equal(true)

    const bytes = Buffer.from(wanted.rawData)
    const forged = Buffer.from(bytes.toString('latin1').replace('jane', 'root'), 'latin1')
    const refused = signClientRequest(PemConverter.encode(forged, 'CERTIFICATE REQUEST'), caKey, TIMES)
    const message = await refused.catch((error: Error) => error.message)
    expect(message).to.equal('the certificate request is not signed by its own key')
  })
})
