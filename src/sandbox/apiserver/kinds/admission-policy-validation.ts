import type { JsonObject } from '../../../core/base/json.ts'
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '../admission/policies/expression-types.ts'
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionScope,
  PolicyVariables,
} from '../admission/policies/policy-expression.ts'
import { BOOL, type CelType, listOf, NULL, STRING } from '../cel/cel-type.ts'
import { checkLabel1035, checkLabelKey, checkPathSegment, checkSubdomain } from '../write/names.ts'
import { validateConditions } from './common/conditions.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from './common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { validateMatchConditions } from './common/match-conditions.ts'
import { validateMatchResources } from './match-resources-validation.ts'

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const ACTIONS = ['Audit', 'Deny', 'Warn']
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE']

/** The expressions of one policy are compiled together: later ones see the variables before them. */
interface Expressions {
  readonly scope: ExpressionScope
  /** Those that have an expression. */
  readonly variables: PolicyVariables
  readonly hasVariables: boolean
}

export function validateValidatingPolicy(spec: JsonObject, policy = ''): FieldErrors {
  const expressions = expressionsOf(spec)
  const validations = itemsAt(spec, 'validations')
  const annotations = itemsAt(spec, 'auditAnnotations')
  const none = 'validations or auditAnnotations must contain at least one item'
  const isEmpty = validations.length === 0 && annotations.length === 0
  return [
    ...validateCommon(spec, expressions),
    ...(isEmpty ? [required('spec.validations', none), required('spec.auditAnnotations', none)] : []),
    ...validations.flatMap((each, index) => validateValidation(each, `spec.validations[${index}]`, expressions)),
    ...annotations.flatMap((each, index) => [
      ...validateKey(textAt(each, 'key'), policy, `spec.auditAnnotations[${index}].key`),
      ...validateAnnotation(each, `spec.auditAnnotations[${index}]`, expressions),
      ...repeatedKey(annotations, index),
    ]),
  ]
}

/** An annotation of the audit log is named after the policy and its key. */
function validateKey(key: string, policy: string, field: string): FieldErrors {
  if (policy === '') return [invalid(field, key, 'requires metadata.name be non-empty')]
  const name = `${policy}/${key}`
  return invalidFor(field, name, checkLabelKey(name))
}

function repeatedKey(annotations: readonly JsonObject[], index: number): FieldErrors {
  const key = textAt(annotations[index], 'key')
  const first = annotations.findIndex((each) => textAt(each, 'key') === key)
  return key !== '' && first < index ? [duplicate(`spec.auditAnnotations[${index}].key`, key)] : []
}

export function validateMutatingPolicy(spec: JsonObject): FieldErrors {
  const expressions = expressionsOf(spec)
  const mutations = itemsAt(spec, 'mutations')
  const reinvocation = textAt(spec, 'reinvocationPolicy')
  const none = [required('spec.mutations', 'mutations must contain at least one item')]
  return [
    ...validateCommon(spec, expressions, true),
    ...(mutations.length === 0 ? none : []),
    ...mutations.flatMap((each, index) => validateMutation(each, `spec.mutations[${index}]`, expressions)),
    ...(reinvocation === ''
      ? [required('spec.reinvocationPolicy')]
      : oneOf('spec.reinvocationPolicy', reinvocation, ['IfNeeded', 'Never'])),
  ]
}

function expressionsOf(spec: JsonObject): Expressions {
  const scope = { hasParams: spec.paramKind !== undefined }
  const all = itemsAt(spec, 'variables').map((each) => ({
    name: textAt(each, 'name'),
    expression: textAt(each, 'expression'),
  }))
  const said = all.filter(({ expression }) => expression.trim() !== '')
  return { scope, variables: new PolicyVariables(said, scope), hasVariables: all.length > 0 }
}

function validateCommon(spec: JsonObject, { scope, variables }: Expressions, mutates = false): FieldErrors {
  const match = objectAt(spec, 'matchConstraints')
  const rules = itemsAt(match, 'resourceRules')
  const noRules = rules.length === 0 ? [required('spec.matchConstraints.resourceRules')] : []
  return [
    ...oneOf('spec.failurePolicy', textAt(spec, 'failurePolicy'), ['Fail', 'Ignore']),
    ...(spec.paramKind === undefined ? [] : validateParamKind(objectAt(spec, 'paramKind'))),
    ...(spec.matchConstraints === undefined
      ? [required('spec.matchConstraints')]
      : [...validateMatchResources(match, 'spec.matchConstraints'), ...noRules]),
    ...(mutates ? rules.flatMap((rule) => validateOperations(rule, 'spec.matchConstraints')) : []),
    ...validateMatchConditions(itemsAt(spec, 'matchConditions'), 'spec.matchConditions', scope),
    ...itemsAt(spec, 'variables').flatMap((each, index) =>
      validateVariable(each, `spec.variables[${index}]`, variables),
    ),
  ]
}

function validateOperations(rule: JsonObject, field: string): FieldErrors {
  const wrong = textsAt(rule, 'operations').filter((each) => !MUTATING_OPERATIONS.includes(each))
  return wrong.map((each) => notSupported(`${field}.resourceRules.operations`, each, MUTATING_OPERATIONS))
}

function validateParamKind(paramKind: JsonObject): FieldErrors {
  const kind = textAt(paramKind, 'kind')
  const complaints = checkLabel1035(kind.toLowerCase()).join(',')
  const wrong = invalid('spec.paramKind.kind', kind, `may have mixed case, but should otherwise match: ${complaints}`)
  return [
    ...validateParamVersion(textAt(paramKind, 'apiVersion'), 'spec.paramKind.apiVersion'),
    ...(kind === '' ? [required('spec.paramKind.kind')] : complaints === '' ? [] : [wrong]),
  ]
}

function validateParamVersion(apiVersion: string, field: string): FieldErrors {
  if (apiVersion === '') return [required(field)]
  const [version = '', group = '', ...more] = apiVersion.split('/').reverse()
  if (more.length > 0) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [ofGroup, ofVersion] = [group === '' ? [] : checkSubdomain(group), checkLabel1035(version)]
  return [
    ...(ofGroup.length > 0 ? [invalid(field, group, ofGroup.join(','))] : []),
    ...(version === '' ? [invalid(field, apiVersion, 'version must be specified')] : []),
    ...(version !== '' && ofVersion.length > 0 ? [invalid(field, version, ofVersion.join(','))] : []),
  ]
}

/** Written by the controller that checks the types of expressions. */
export function validatePolicyStatus(status: JsonObject): FieldErrors {
  const warnings = itemsAt(objectAt(status, 'typeChecking'), 'expressionWarnings')
  return [
    ...warnings.flatMap((warning, index) =>
      ['warning', 'fieldRef']
        .filter((name) => textAt(warning, name) === '')
        .map((name) => required(`status.typeChecking.expressionWarnings[${index}].${name}`)),
    ),
    ...validateConditions(itemsAt(status, 'conditions'), 'status.conditions'),
  ]
}

function validateVariable(variable: JsonObject, field: string, variables: PolicyVariables): FieldErrors {
  const name = textAt(variable, 'name')
  const badName = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)
    ? []
    : [invalid(`${field}.name`, name, 'must be a valid CEL identifier')]
  const errors = name.trim() === '' ? [required(`${field}.name`, 'name is not specified')] : badName
  if (textAt(variable, 'expression').trim() === '') {
    return [...errors, required(`${field}.expression`, 'expression is not specified')]
  }
  return [...errors, ...complaint(variables.get(name), `${field}.expression`)]
}

function validateValidation(validation: JsonObject, field: string, expressions: Expressions): FieldErrors {
  const message = textAt(validation, 'message')
  const expression = textAt(validation, 'expression')
  const messageExpression = textAt(validation, 'messageExpression')
  const reason = textAt(validation, 'reason')
  return [
    ...(expression.trim() === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : compiled(expression, `${field}.expression`, { ...declared(expressions), returns: [BOOL] })),
    ...(messageExpression === '' ? [] : validateMessageExpression(messageExpression, field, expressions)),
    ...(message !== '' && message.trim() === ''
      ? [invalid(`${field}.message`, message, 'must be non-empty if specified')]
      : []),
    ...(message.trim().includes('\n') ? [invalid(`${field}.message`, message, 'must not contain line breaks')] : []),
    ...(validation.reason === undefined ? [] : oneOf(`${field}.reason`, reason, REASONS)),
  ]
}

/** A validating policy without variables has no `variables` either. */
function declared({
  scope,
  variables,
  hasVariables,
}: Expressions): Pick<Expressions, 'scope'> & Partial<Pick<Expressions, 'variables'>> {
  return hasVariables ? { scope, variables } : { scope }
}

function validateMessageExpression(source: string, field: string, expressions: Expressions): FieldErrors {
  const place = `${field}.messageExpression`
  if (source.trim() === '') return [invalid(place, source, 'must be non-empty if specified')]
  const { scope, ...rest } = declared(expressions)
  return compiled(source, place, { scope: { ...scope, hasAuthorizer: false }, ...rest, returns: [STRING] })
}

function validateAnnotation(annotation: JsonObject, field: string, { scope, variables }: Expressions): FieldErrors {
  const source = textAt(annotation, 'valueExpression')
  const place = `${field}.valueExpression`
  if (source.trim() === '') return [required(place, 'valueExpression is not specified')]
  return complaint(compileExpression(source, scope, { variables, returns: [STRING, NULL] }), place)
}

const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch']

function validateMutation(mutation: JsonObject, field: string, { scope, variables }: Expressions): FieldErrors {
  const type = textAt(mutation, 'patchType')
  if (type === '') return [required(`${field}.patchType`)]
  if (!PATCH_TYPES.includes(type)) return [notSupported(`${field}.patchType`, type, PATCH_TYPES)]
  const [own, other] = type === 'JSONPatch' ? ['jsonPatch', 'applyConfiguration'] : ['applyConfiguration', 'jsonPatch']
  const both =
    mutation[other as string] === undefined
      ? []
      : [invalid(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)]
  if (mutation[own as string] === undefined) {
    return [required(`${field}.${own}`, `must be specified when patchType is ${type}`), ...both]
  }
  const source = textAt(objectAt(mutation, own as string), 'expression').trim()
  const place = `${field}.${own}.expression`
  const returns = [type === 'JSONPatch' ? listOf(JSON_PATCH_TYPE) : OBJECT_TYPE]
  const errors = compiled(source, place, { scope: { ...scope, patches: true }, variables, returns })
  return [...(source === '' ? [required(place)] : errors), ...both]
}

function compiled(
  source: string,
  field: string,
  {
    scope,
    variables,
    returns,
  }: { readonly scope: ExpressionScope; readonly variables?: PolicyVariables; readonly returns: readonly CelType[] },
): FieldErrors {
  return complaint(compileExpression(source, scope, { returns, ...(variables && { variables }) }), field)
}

function complaint(expression: CompiledExpression | undefined, field: string): FieldErrors {
  return expression?.error === undefined ? [] : [invalid(field, expression.source, expression.error)]
}

export function validatePolicyBinding(spec: JsonObject, mutates: boolean): FieldErrors {
  const policy = textAt(spec, 'policyName')
  const match = objectAt(spec, 'matchResources')
  const rules = itemsAt(match, 'resourceRules')
  return [
    ...(policy === '' ? [required('spec.policyName')] : invalidFor('spec.policyName', policy, checkSubdomain(policy))),
    ...(spec.paramRef === undefined ? [] : validateParamRef(objectAt(spec, 'paramRef'))),
    ...(spec.matchResources === undefined ? [] : validateMatchResources(match, 'spec.matchResources')),
    ...(mutates ? rules.flatMap((rule) => validateOperations(rule, 'spec.matchResources')) : validateActions(spec)),
  ]
}

function validateParamRef(ref: JsonObject): FieldErrors {
  const action = textAt(ref, 'parameterNotFoundAction')
  const name = textAt(ref, 'name')
  const hasName = name !== ''
  const hasSelector = ref.selector !== undefined
  const notBoth = (field: string): FieldErrors =>
    hasName && hasSelector ? [forbidden(`spec.paramRef.${field}`, 'name and selector are mutually exclusive')] : []
  return [
    ...(hasName ? invalidFor('spec.paramRef.name', name, checkPathSegment(name)) : []),
    ...notBoth('name'),
    ...(hasSelector ? validateLabelSelector(objectAt(ref, 'selector'), 'spec.paramRef.selector') : []),
    ...notBoth('selector'),
    ...(hasName || hasSelector ? [] : [required('spec.paramRef', 'one of name or selector must be specified')]),
    ...(action === ''
      ? [required('spec.paramRef.parameterNotFoundAction')]
      : oneOf('spec.paramRef.parameterNotFoundAction', action, ['Deny', 'Allow'])),
  ]
}

function validateActions(spec: JsonObject): FieldErrors {
  const actions = textsAt(spec, 'validationActions')
  const field = 'spec.validationActions'
  const repeated = actions.flatMap((each, index) =>
    actions.indexOf(each) === index ? [] : [duplicate(`${field}[${index}]`, each)],
  )
  const twice =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
  return [
    ...actions.flatMap((each, index) => oneOf(`${field}[${index}]`, each, ACTIONS)),
    ...repeated,
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalid(field, [...actions], twice)] : []),
    ...(actions.length === 0 ? [required(field, 'at least one validation action is required')] : []),
  ]
}
