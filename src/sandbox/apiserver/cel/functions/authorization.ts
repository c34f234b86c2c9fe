import { CelRuntimeError, noSuchOverload } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { CelOpaque, type CelValue } from '../values.ts'

/** What expressions may ask about. The one who answers knows the user who asks. */
export interface AccessAttributes {
  readonly verb: string
  /** Of a request that is about no resource. */
  readonly path?: string | undefined
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

export interface AccessDecision {
  readonly allowed: boolean
  readonly reason: string
}

/** Says what a user may do. */
export interface AccessOracle {
  decide(attributes: AccessAttributes): AccessDecision
  /** The same for a ServiceAccount. */
  ofServiceAccount(namespace: string, name: string): AccessOracle
}

/** What has functions and nothing else. @throws CelRuntimeError when compared */
abstract class Receiver extends CelOpaque {
  equals(): boolean {
    throw noSuchOverload()
  }
}

abstract class Asking extends Receiver {
  readonly oracle: AccessOracle

  constructor(oracle: AccessOracle) {
    super()
    this.oracle = oracle
  }
}

const A = 'kubernetes.authorization.Authorizer'
const P = 'kubernetes.authorization.PathCheck'
const G = 'kubernetes.authorization.GroupCheck'
const R = 'kubernetes.authorization.ResourceCheck'
const D = 'kubernetes.authorization.Decision'

/** The variable `authorizer`. */
export class AuthorizerValue extends Asking {
  readonly typeName = A
}

class PathCheck extends Asking {
  readonly typeName = P
  readonly path: string

  constructor(oracle: AccessOracle, path: string) {
    super(oracle)
    this.path = path
  }
}

class GroupCheck extends Asking {
  readonly typeName = G
  readonly group: string

  constructor(oracle: AccessOracle, group: string) {
    super(oracle)
    this.group = group
  }
}

type Subject = Omit<AccessAttributes, 'verb' | 'path'>

/** Also the variable `authorizer.requestResource`. */
export class ResourceCheck extends Asking {
  readonly typeName = R
  readonly subject: Subject

  constructor(oracle: AccessOracle, subject: Subject) {
    super(oracle)
    this.subject = subject
  }

  with(more: Partial<Subject>): ResourceCheck {
    return new ResourceCheck(this.oracle, { ...this.subject, ...more })
  }
}

class Decision extends Receiver {
  readonly typeName = D
  readonly decision: AccessDecision

  constructor(decision: AccessDecision) {
    super()
    this.decision = decision
  }
}

const NOTHING: Omit<Subject, 'group'> = { resource: '', subresource: '', namespace: '', name: '' }
/** An expression may ask twice. */
const CHECK_COST = 350_000

/** Questions about what the sender of a request may do. No authorizer here fails, and selectors make no difference. */
export const AUTHORIZATION: FunctionTable = {
  [`method path(${A}, string): ${P}`]: ([from, path]) => new PathCheck(oracleOf(from), filled('path', path)),
  [`method group(${A}, string): ${G}`]: ([from, group]) => new GroupCheck(oracleOf(from), group as string),
  [`method serviceAccount(${A}, string, string): ${A}`]: ([from, namespace, name]) =>
    new AuthorizerValue(serviceAccountOf(oracleOf(from), namespace as string, name as string)),
  [`method resource(${G}, string): ${R}`]: ([from, resource]) => {
    const { oracle, group } = from as GroupCheck
    return new ResourceCheck(oracle, { ...NOTHING, group, resource: filled('resource', resource) })
  },
  [`method subresource(${R}, string): ${R}`]: narrowing('subresource'),
  [`method namespace(${R}, string): ${R}`]: narrowing('namespace'),
  [`method name(${R}, string): ${R}`]: narrowing('name'),
  [`method fieldSelector(${R}, string): ${R}`]: ([from]) => from as ResourceCheck,
  [`method labelSelector(${R}, string): ${R}`]: ([from]) => from as ResourceCheck,
  [`method check(${P}, string): ${D}`]: ([from, verb], call) => {
    call.spend(CHECK_COST - 1)
    const { oracle, path } = from as PathCheck
    return new Decision(oracle.decide({ ...NOTHING, group: '', path, verb: verb as string }))
  },
  [`method check(${R}, string): ${D}`]: ([from, verb], call) => {
    call.spend(CHECK_COST - 1)
    const { oracle, subject } = from as ResourceCheck
    return new Decision(oracle.decide({ ...subject, verb: verb as string }))
  },
  [`method allowed(${D}): bool`]: ([from]) => (from as Decision).decision.allowed,
  [`method reason(${D}): string`]: ([from]) => (from as Decision).decision.reason,
  [`method errored(${D}): bool`]: () => false,
  [`method error(${D}): string`]: () => '',
}

function oracleOf(value: CelValue | undefined): AccessOracle {
  return (value as Asking).oracle
}

function narrowing(field: keyof Subject): (args: readonly CelValue[]) => CelValue {
  return ([from, value]) => (from as ResourceCheck).with({ [field]: value as string })
}

function filled(what: string, value: CelValue | undefined): string {
  const text = value as string
  if (text.trim() === '') throw new CelRuntimeError(`${what} must not be empty`)
  return text
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

function serviceAccountOf(oracle: AccessOracle, namespace: string, name: string): AccessOracle {
  if (name.length > 253 || !SUBDOMAIN.test(name)) throw new CelRuntimeError('Invalid service account name')
  if (!LABEL.test(namespace)) throw new CelRuntimeError('Invalid service account namespace')
  return oracle.ofServiceAccount(namespace, name)
}
