/** What `check` rightly finds in the roles made of charts and manifests of others, with the reason. */
export const REAL_FINDINGS: readonly { readonly role: RegExp; readonly message: RegExp; readonly reason: string }[] = [
  { role: /./, message: /PreferClose" is deprecated/, reason: 'a server of 1.36 warns of it' },
  { role: /./, message: /a DNS label is recommended/, reason: 'a server of 1.36 warns of it' },
  { role: /./, message: /duplicate port name/, reason: 'a server of 1.36 warns of it' },
  {
    role: /vault|cockroachdb|dapr/,
    message: /has no version v1beta1/,
    reason: 'rendered for an old cluster: the version is gone',
  },
  {
    role: /cassandra/,
    message: /has a port "tls"/,
    reason: 'the Service has a port that no container has unless TLS is on',
  },
  {
    role: /kubernetes cluster/,
    message: /quantities must match|must be a valid IP address/,
    reason: 'a template with placeholders',
  },
  { role: /kubernetes cluster/, message: /no field `nodeSelectors`/, reason: 'misspelt: a server drops it' },
  { role: /kubernetes test/, message: /no field `Type`/, reason: 'misspelt: a server drops it' },
  {
    role: /kubernetes test/,
    message: /subjects\[0\]\.namespace/,
    reason: 'kubectl is given the namespace; a server refuses it without',
  },
]
