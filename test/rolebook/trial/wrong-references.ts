import { config, deployment, type RightRole, service, type WrongRole } from './wrong-roles.ts'

const environment = (key: string): string =>
  `, env: [{name: A, valueFrom: {configMapKeyRef: {name: web, key: ${key}}}}]`
const secretVolume = (item: string): string => `volumes: [{name: v, secret: {secretName: web, items: [${item}]}}]`
const SECRET = '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: web}, stringData: {token: x}}\n'
const UNNAMED_PORT = ', ports: [{containerPort: 80}]'

/** Roles whose objects ask for what no object of the role has, and is called nothing alike. */
export const WRONG_REFERENCES: readonly WrongRole[] = [
  {
    name: 'a port of a probe of a container whose ports have no names',
    code: 'RB1806',
    tasks: deployment(`${UNNAMED_PORT}, livenessProbe: {httpGet: {port: «web}}`),
    says: 'its ports have no names',
  },
  {
    name: 'a key of its own ConfigMap, which is empty',
    code: 'RB1806',
    tasks: `${config('web')}${deployment(environment('«greeting'))}`,
    says: 'it has no keys',
  },
  {
    name: 'a key of its own ConfigMap, which has others',
    code: 'RB1806',
    tasks: `${config('web', '      data: {colour: red}\n')}${deployment(environment('«greeting'))}`,
    says: 'there is colour',
  },
  {
    name: 'a key that a volume wants of its own Secret',
    code: 'RB1806',
    tasks: `${SECRET}${deployment('', { volumes: secretVolume('{key: «password, path: p}') })}`,
    says: 'the Secret "web" has no key "password" there is token',
  },
  {
    name: 'a port of a Service by name, where no port has one',
    code: 'RB1806',
    tasks: `${deployment(UNNAMED_PORT)}${service('{selector: {app: web}, ports: [{port: 80, targetPort: «http}]}')}`,
    says: 'the ports have no names',
  },
  {
    name: 'a port of a Service by name, where ports have others',
    code: 'RB1806',
    tasks: `${deployment(', ports: [{name: metrics, containerPort: 80}]')}${service('{selector: {app: web}, ports: [{port: 80, targetPort: «http}]}')}`,
    says: 'did you mean `metrics`?',
  },
]

/** Roles that look like one of those, and are right. */
export const RIGHT_REFERENCES: readonly RightRole[] = [
  {
    name: 'a key that a volume takes if it is there',
    tasks: `${config('web')}${deployment('', { volumes: 'volumes: [{name: v, configMap: {name: web, optional: true, items: [{key: a, path: a}]}}]' })}`,
  },
  {
    name: 'a selector of which two labels are those of no Pod of the role',
    tasks: `${deployment('', { labels: '{app: web, tier: front}' })}${service('{selector: {app: wob, tier: frount}, ports: [{port: 80}]}')}`,
  },
]
