import type { Mutant } from './mutant.ts'

export const ACCESS: readonly Mutant[] = [
  {
    name: 'a user grants what he does not have',
    file: 'sandbox/apiserver/access/escalation.ts',
    search: 'if (missing.length === 0) return',
    replace: 'if (missing.length >= 0) return',
    topics: ['rbac-escalation'],
  },
  {
    name: 'a rule for some names holds for all',
    file: 'sandbox/apiserver/access/rule-coverage.ts',
    search: '(names.length === 0 || (wantedNames.length > 0 && wantedNames.every((name) => names.includes(name))))',
    replace: 'true',
    topics: ['rbac-escalation'],
  },
]

export const BUDGETS: readonly Mutant[] = [
  {
    name: 'an eviction ignores budgets',
    file: 'sandbox/apiserver/lifecycle/disruption-budget.ts',
    search: '  if (allowed === 0) throw tooMany',
    replace: '  if (false) throw tooMany',
    topics: ['evictions'],
  },
  {
    name: 'a policy goes on when its budget is spent',
    file: 'sandbox/apiserver/admission/policies/policy-expression.ts',
    search: 'if (this.#left < 0) throw new BudgetError()',
    replace: '',
    topics: ['admission-authorizer'],
  },
  {
    name: 'expressions ask what the administrator may do',
    file: 'sandbox/apiserver/admission/policies/access-variables.ts',
    search: 'const oracle = oracleFor(request.user, attributes)',
    replace: "const oracle = oracleFor({ ...request.user, groups: ['system:masters'] }, attributes)",
    topics: ['admission-authorizer'],
  },
]

export const WEBHOOKS: readonly Mutant[] = [
  {
    name: 'a webhook that fails is passed by',
    file: 'sandbox/apiserver/admission/webhooks/webhooks.ts',
    search: "  if (webhook.failurePolicy === 'Ignore') return undefined\n",
    replace: '  if (webhook.failurePolicy) return undefined\n',
    topics: ['webhooks-failures'],
  },
  {
    name: 'a webhook answers for another question',
    file: 'sandbox/apiserver/admission/webhooks/check-review.ts',
    search: 'if (response.uid !== uid)',
    replace: 'if (false)',
    topics: ['webhooks-failures'],
  },
  {
    name: 'a webhook is asked again about what it has changed itself',
    file: 'sandbox/apiserver/admission/webhooks/mutating-webhooks.ts',
    search: '    if (!isSame(changed, object)) reinvocation.changed()\n    object = changed\n',
    replace: '    object = changed\n',
    topics: ['webhooks-mutating'],
  },
  {
    name: 'what a webhook warns of gets lost',
    file: 'sandbox/apiserver/admission/webhooks/webhooks.ts',
    search: ' request.warn(String(text))',
    replace: ' String(text)',
    topics: ['webhooks-validating'],
  },
]
