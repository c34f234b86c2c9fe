import type { Step } from '../exchange.ts'

/** The version of the server is JSON, whatever else is asked for. */
const ask = (form: string, accept: string, more: Partial<Step> = {}): Step => ({
  name: `the version as ${form}`,
  method: 'GET',
  path: '/version',
  headers: { accept },
  ...more,
})

export const steps: readonly Step[] = [
  ask('nothing', ''),
  ask('every form', '*/*'),
  ask('JSON', 'application/json'),
  ask('JSON of little quality', 'application/json;q=0.1'),
  ask('another kind', 'application/json;as=Other'),
  ask('a table', 'application/json;as=Table;g=meta.k8s.io;v=v1'),
  ask('YAML', 'application/yaml'),
  ask('YAML, then JSON', 'application/yaml, application/json'),
  ask('YAML, then anything', 'application/yaml, */*'),
  ask('text', 'text/plain'),
  ask('HTML, then anything', 'text/html, */*'),
  ask('every form of an application', 'application/*'),
  ask('YAML of a path with a slash', 'application/yaml', { path: '/version/' }),
  ask('YAML of a path that leads nowhere', 'application/yaml', { path: '/version/none' }),
  ask('YAML by another method', 'application/yaml', { method: 'POST' }),
  ask('text by another method', 'text/plain', { method: 'POST' }),
]
