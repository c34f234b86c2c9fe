import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, METADATA, remove } from '../map-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'
const ACCOUNT = 'kubernetes.io/service-account'

const secret = (name: string, account: string, more: JsonObject = {}, data?: JsonObject): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: `${CORE}/secrets`,
  body: {
    metadata: { name, annotations: { [`${ACCOUNT}.name`]: account, ...more } },
    type: `${ACCOUNT}-token`,
    ...(data && { data }),
  },
})

/** The content of a Secret differs from run to run. Its metadata shows whether it was filled, and by which manager. */
const filled = (name: string): Step =>
  get(`${name} is filled`, `${CORE}/secrets/${name}`, {
    headers: METADATA,
    until: (body: JsonValue) => JSON.stringify(body).includes('f:token'),
  })
const gone = (name: string): Step => get(`${name} goes`, `${CORE}/secrets/${name}`, { headers: METADATA, until: 404 })

export const steps: readonly Step[] = [
  { name: 'create an account', method: 'POST', path: `${CORE}/serviceaccounts`, body: { metadata: { name: 'robot' } } },
  secret('one', 'robot'),
  filled('one'),
  secret('two', 'robot', { [`${ACCOUNT}.uid`]: '{create an account.uid}' }, { other: 'eA==' }),
  filled('two'),
  secret('of-nobody', 'nobody'),
  gone('of-nobody'),
  secret('of-another', 'robot', { [`${ACCOUNT}.uid`]: 'another' }),
  gone('of-another'),
  remove('delete one', `${CORE}/secrets/one`, undefined, { headers: METADATA }),
  get('the account is there', `${CORE}/serviceaccounts/robot`),
  remove('delete the account', `${CORE}/serviceaccounts/robot`),
  gone('two'),
]
