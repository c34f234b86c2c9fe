import { dirname, isAbsolute, join } from 'node:path'
import { KubeConfig, loadYaml, type User } from '@kubernetes/client-node'

type Options = Parameters<KubeConfig['loadFromString']>[1]

/** What a kubeconfig says of a user and the library does not read. */
interface RawConfig {
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: unknown } }[] | null
}

/** A kubeconfig whose users may have `tokenFile`, as kubectl reads it: the file counts before a token that stands beside it. */
export class TokenFileConfig extends KubeConfig {
  override loadFromFile(file: string, options?: Options): void {
    super.loadFromFile(file, options)
    this.users = this.users.map((user) => located(user, dirname(file)))
  }

  override loadFromString(text: string, options?: Options): void {
    super.loadFromString(text, options)
    const files = new Map((loadYaml<RawConfig>(text).users ?? []).map(({ name, user }) => [name, user?.tokenFile]))
    this.users = this.users.map((user) => withTokenFile(user, files.get(user.name)))
  }
}

function withTokenFile(user: User, tokenFile: unknown): User {
  if (typeof tokenFile !== 'string' || tokenFile === '') return user
  const { token, ...rest } = user
  return { ...rest, authProvider: { name: 'tokenFile', config: { tokenFile } } }
}

/** Paths count from the folder of the kubeconfig. */
function located(user: User, folder: string): User {
  const tokenFile: unknown = user.authProvider?.config?.tokenFile
  if (typeof tokenFile !== 'string' || isAbsolute(tokenFile)) return user
  return withTokenFile(user, join(folder, tokenFile))
}
