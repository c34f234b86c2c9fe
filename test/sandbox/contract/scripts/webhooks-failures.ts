import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { MAPS } from '../map-steps.ts'
import { write } from '../policy-steps.ts'
import { answering, configure, type WebhookCase, withdraw } from '../webhook-steps.ts'

const KIND = 'validating'

/** None of them is an answer to what was asked. */
const WRONG = [
  'no-response',
  'wrong-uid',
  'no-uid',
  'wrong-kind',
  'wrong-version',
  'old-version',
  'no-kind',
  'wrong-type',
  'wrong-patch-text',
  'unknown-fields',
  'no-json',
  'no-json-type',
  'nothing',
  'a-list',
  'an-empty-object',
  'code-500',
  'code-500-empty',
  'code-500-text',
  'code-403-text',
  'code-409',
  'code-418',
  'code-503',
  'code-404',
  'code-403-status',
  'code-201',
  'code-302',
  'code-429',
  'close',
]

const ignore = { failurePolicy: 'Ignore' }
const fails = (name: string, more: JsonObject = {}, answer = 'code-500'): WebhookCase => ({
  name,
  webhooks: [[answer, more]],
})

const CASES: readonly WebhookCase[] = [
  ...WRONG.map((answer) => answering(answer)),
  ...['wrong-uid', 'code-500', 'no-json', 'close'].map((answer) => fails(`ignore-${answer}`, ignore, answer)),
  fails('ignore-then-deny', ignore),
  fails('never', { timeoutSeconds: 1 }, 'never'),
  fails('ignore-never', { timeoutSeconds: 1, ...ignore }, 'never'),
  fails('refused', { clientConfig: { url: 'https://127.0.0.1:1/x' } }),
  fails('untrusted', { clientConfig: { url: '{hook}/allow' } }),
  fails('localhost', { clientConfig: { url: 'https://127.0.0.1:1/x' }, ...ignore }),
  fails('old-review', { admissionReviewVersions: ['v0', 'v1beta1', 'v1'] }, 'review'),
  fails('old-review-and-uid', { admissionReviewVersions: ['v1beta1'] }, 'wrong-uid'),
  fails('old-review-patches', { admissionReviewVersions: ['v1beta1'] }, 'patch-data'),
  fails('no-side-effects', { sideEffects: 'NoneOnDryRun' }, 'allow'),
  { name: 'one-of-two', webhooks: [['allow'], ['code-500']] },
  {
    name: 'both-ignored',
    webhooks: [
      ['close', ignore],
      ['wrong-uid', ignore],
    ],
  },
  { name: 'ignored-and-denied', webhooks: [['close', ignore], ['deny-with-message']] },
  { name: 'ignored-and-warned', webhooks: [['close', ignore], ['warn']] },
  fails('last-of-all', {}, 'deny-with-message'),
]

const asked = CASES.filter(({ name }) => name !== 'last-of-all')

export const steps: readonly Step[] = [
  ...CASES.map((each) => configure(KIND, each)),
  write('last-of-all', 'until it is asked', {}, { until: 400 }),
  ...asked.map(({ name }) => write(name, 'is shown a map', { size: '1' })),
  write('code-500', 'a real one', { size: '1' }, { real: true }),
  { name: 'code-500: nothing is stored', method: 'GET', path: `${MAPS}/code-500-a-real-one` },
  write('ignore-code-500', 'a real one', { size: '1' }, { real: true }),
  ...CASES.map((each) => withdraw(KIND, each)),
]
