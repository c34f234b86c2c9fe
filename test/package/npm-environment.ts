import { delimiter, dirname } from 'node:path'
import { env, execPath } from 'node:process'

/** Where npm finds nothing but what it is given: no network, an empty cache, no settings of the npm that runs the tests. */
export function npmEnvironment({ cache, node = execPath }: { readonly cache: string; readonly node?: string }) {
  const own = Object.entries(env).filter(([name]) => !/^npm_/i.test(name) && name !== 'NODE_V8_COVERAGE')
  return {
    ...Object.fromEntries(own),
    // npm runs on the first Node of the path, and so does what it starts.
    PATH: `${dirname(node)}${delimiter}${env.PATH}`,
    npm_config_cache: cache,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}
