import { AUTHENTICATED, type User } from './user.ts'

/** A file of static tokens: on each line `token,user,uid,"group1,group2"`, where the groups may be missing. */
export function parseTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>()
  for (const line of text.split('\n')) {
    const [token = '', name = '', uid = '', groups = ''] = fieldsOf(line)
    if (token === '' || name === '') continue
    const named = groups.split(',').filter((group) => group !== '')
    users.set(token, { name, ...(uid !== '' && { uid }), groups: [...named, AUTHENTICATED] })
  }
  return users
}

/** Commas within quotes separate nothing. */
function fieldsOf(line: string): readonly string[] {
  return [...line.matchAll(/\s*(?:"([^"]*)"|([^,]*))\s*(?:,|$)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain.trim(),
  )
}
