import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import type { Sandbox } from '../sandbox.ts'

/** A request, and what a real kube-apiserver 1.36 says to it. */
export interface RequestCase {
  readonly name: string
  /** Method and path. */
  readonly request: string
  readonly body?: JsonValue
  readonly type?: string
  readonly accept?: string
  readonly status: number
  /** Part of the answer. */
  readonly says?: string
}

/** A test for each of the cases. */
export function itAnswers(sandbox: Sandbox, cases: readonly RequestCase[]): void {
  for (const { name, request, body, type = 'application/json', accept, status, says = '' } of cases) {
    it(name, async () => {
      const [method = '', path = ''] = request.split(' ')
      const headers = { 'content-type': type, ...(accept !== undefined && { accept }) }
      const answer = await sandbox.send(method, path, { headers, ...(body !== undefined && { body }) })
      expect(answer.status, answer.text).to.equal(status)
      expect(answer.text).to.include(says)
    })
  }
}
