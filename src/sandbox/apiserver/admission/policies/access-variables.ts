import { serviceAccountGroups, serviceAccountName, type User } from '../../access/user.ts'
import type { CelBindings } from '../../cel/compile-cel.ts'
import { type AccessOracle, AuthorizerValue, ResourceCheck } from '../../cel/functions/authorization.ts'
import type { AdmissionAttributes } from '../attributes.ts'

/** The variables by which expressions ask what the user who makes a change may do. */
export function accessVariables(attributes: AdmissionAttributes): CelBindings {
  const { resource, subresource, namespace, name, request } = attributes
  const oracle = oracleFor(request.user, attributes)
  const subject = { group: resource.group, resource: resource.plural, subresource, namespace, name }
  return {
    authorizer: { value: new AuthorizerValue(oracle) },
    'authorizer.requestResource': { value: new ResourceCheck(oracle, subject) },
  }
}

function oracleFor(user: User, { authorizer }: Pick<AdmissionAttributes, 'authorizer'>): AccessOracle {
  return {
    decide: ({ verb, path, group, resource: plural, ...where }) =>
      authorizer.decide(
        user,
        path === undefined ? { verb, path: '', resource: { group, plural, ...where } } : { verb, path },
      ),
    ofServiceAccount: (namespace, name) => {
      const account = { name: serviceAccountName(namespace, name), groups: serviceAccountGroups(namespace) }
      return oracleFor(account, { authorizer })
    },
  }
}
