import type { Step } from '../exchange.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
const OLD_TABLE = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' }
const SECRETS = '/api/v1/namespaces/{ns}/secrets'
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles'

export const steps: readonly Step[] = [
  {
    name: 'create a map',
    method: 'POST',
    path: MAPS,
    body: { metadata: { name: 'm', labels: { t: '1' } }, data: { a: '1', b: '2' } },
  },
  {
    name: 'create a secret',
    method: 'POST',
    path: SECRETS,
    body: { metadata: { name: 's', labels: { t: '1' } }, stringData: { a: '1' } },
  },
  {
    name: 'create a role',
    method: 'POST',
    path: ROLES,
    body: { metadata: { name: 'r', labels: { t: '1' } }, rules: [] },
  },
  { name: 'maps', method: 'GET', path: `${MAPS}?labelSelector=t`, headers: TABLE },
  {
    name: 'secrets without objects',
    method: 'GET',
    path: `${SECRETS}?labelSelector=t&includeObject=None`,
    headers: TABLE,
  },
  { name: 'roles', method: 'GET', path: `${ROLES}?labelSelector=t&includeObject=Object`, headers: TABLE },
  { name: 'one role', method: 'GET', path: `${ROLES}/r`, headers: OLD_TABLE },
  { name: 'no rows', method: 'GET', path: `${ROLES}?labelSelector=nothing`, headers: TABLE },
  { name: 'pages', method: 'GET', path: `${MAPS}?limit=1`, headers: TABLE },
  { name: 'what is not there', method: 'GET', path: `${ROLES}/none`, headers: TABLE },
  {
    name: 'a watch',
    method: 'GET',
    background: true,
    path: `${ROLES}?labelSelector=t&watch=true&timeoutSeconds=1`,
    headers: TABLE,
  },
  { name: 'a creation', method: 'POST', path: ROLES, headers: TABLE, body: { metadata: { name: 'r2' }, rules: [] } },
]
