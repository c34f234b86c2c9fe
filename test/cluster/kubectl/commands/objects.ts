import type { Command } from '../kubectl-session.ts'

const settings = (data: string, name = 'settings') => `kubectl apply -f - <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {app: web}}
data: ${data}
EOF`
const serverSide = (data: string, flags = '') => `kubectl apply --server-side ${flags} -f - <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: applied}
data: ${data}
EOF`

/** Objects without a controller: created, applied, edited, patched, replaced, labelled, compared, deleted. */
export const commands: readonly Command[] = [
  { run: 'kubectl create configmap literal --from-literal=a=1 --from-literal=b=2' },
  { run: 'kubectl create configmap literal --from-literal=a=1' },
  {
    run: 'printf "x=1\\ny=2\\n" > file.env; kubectl create configmap from-file --from-file=file.env --from-env-file=file.env',
  },
  { run: 'kubectl create configmap from-env --from-env-file=file.env -o yaml' },
  { run: 'kubectl create secret generic password --from-literal=password=hunter2' },
  { run: 'kubectl create secret tls pair --cert=nothing --key=nothing' },
  { run: 'kubectl create secret docker-registry registry --docker-server=r --docker-username=u --docker-password=p' },
  { run: 'kubectl get secrets' },
  { run: 'kubectl describe secret password' },
  { run: 'kubectl get configmaps' },
  { run: 'kubectl get cm literal -o json' },
  { run: 'kubectl get configmap literal nothing' },
  { run: 'kubectl get configmap --ignore-not-found nothing' },
  { run: 'kubectl describe configmap literal' },
  { run: 'kubectl create quota counts --hard=configmaps=20,count/secrets=10' },
  {
    run: "until kubectl get quota counts -o jsonpath='{.status.used}' | grep -q config; do sleep 0.2; done",
    requests: 'vary',
    differs: 'the sandbox counts only when something is created',
  },
  { run: 'kubectl create serviceaccount robot' },
  { run: 'kubectl create role reader --verb=get,list --resource=pods,deployments.apps' },
  { run: 'kubectl create rolebinding robot-reads --role=reader --serviceaccount=$NS:robot --user=jane --group=team' },
  { run: 'kubectl get roles,rolebindings -o wide', differs: 'a role shows when it was made' },
  { run: 'kubectl describe role reader' },
  { run: 'kubectl describe rolebinding robot-reads' },
  { run: 'kubectl create token robot --duration=1h' },
  { run: 'kubectl create token nobody' },
  { run: 'kubectl create poddisruptionbudget budget --selector=app=web --min-available=1' },
  { run: 'kubectl get pdb' },
  { run: 'kubectl create ingress entry --rule="example.com/path*=web:80,tls=cert"' },
  { run: 'kubectl get ingress' },
  { run: 'kubectl describe ingress entry' },
  { run: settings('{a: "1"}') },
  { run: settings('{a: "1"}') },
  { run: settings('{a: "2", b: "3"}') },
  { run: `${settings('{a: "5"}')}\nkubectl get configmap settings -o jsonpath={.data}` },
  { run: settings('{a: "6"}').replace('apply -f', 'diff -f') },
  { run: settings('{a: "6"}').replace('apply -f', 'apply --dry-run=server -f') },
  { run: settings('{a: "6"}').replace('apply -f', 'apply --dry-run=client -f') },
  { run: settings('{a: 7}') },
  { run: settings('{a: "7"}', 'settings, unknown: x') },
  { run: 'kubectl apply view-last-applied configmap settings' },
  {
    run: 'kubectl apply set-last-applied -f - <<EOF\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"a":"5"}}\nEOF',
  },
  { run: serverSide('{a: "1"}') },
  { run: serverSide('{a: "2"}', '--field-manager=other') },
  { run: serverSide('{a: "2"}', '--field-manager=other --force-conflicts') },
  { run: 'kubectl get configmap applied -o yaml --show-managed-fields' },
  { run: 'kubectl patch configmap settings -p \'{"data":{"p":"strategic"}}\'' },
  { run: 'kubectl patch configmap settings --type=merge -p \'{"data":{"p":null}}\'' },
  { run: 'kubectl patch configmap settings --type=merge -p \'{"data":{"p":null}}\'' },
  { run: 'kubectl patch configmap settings --type=json -p \'[{"op":"add","path":"/data/j","value":"1"}]\'' },
  { run: 'kubectl patch configmap settings --type=json -p \'[{"op":"remove","path":"/data/nothing"}]\'' },
  { run: 'kubectl patch configmap settings -p nonsense' },
  { run: 'kubectl label configmap settings tier=back app=api' },
  { run: 'kubectl label configmap settings tier=back app=api --overwrite' },
  { run: 'kubectl label configmaps --all all=yes' },
  { run: 'kubectl label configmap settings tier-' },
  { run: 'kubectl label configmap settings "bad label=x"' },
  { run: 'kubectl annotate configmap settings note="a text"' },
  { run: 'kubectl annotate configmap settings note-' },
  { run: 'kubectl get configmaps -l all=yes,app=api -o name' },
  { run: "kubectl get configmaps -l 'app in (web,api),!nothing' --show-labels" },
  { run: 'kubectl get configmaps -l "a b"' },
  { run: 'kubectl get configmaps --field-selector metadata.name=settings' },
  { run: 'kubectl get configmaps --field-selector data.a=1' },
  { run: 'KUBE_EDITOR="sed -i s/\'a: \\"5\\"\'/\'a: \\"edited\\"\'/" kubectl edit configmap settings' },
  { run: 'KUBE_EDITOR=true kubectl edit configmap settings' },
  {
    run: 'KUBE_EDITOR="sed -i s/^kind:.*/kind:/" kubectl edit configmap settings',
    differs: 'it names a file of its own',
  },
  { run: 'kubectl get configmap settings -o yaml | sed s/edited/replaced/ | kubectl replace -f -' },
  {
    run: 'kubectl get configmap settings -o yaml | sed "s/resourceVersion: .*/resourceVersion: \\"1\\"/" | kubectl replace -f -',
  },
  { run: 'kubectl get configmap settings -o yaml | kubectl replace --force -f -', requests: 'vary' },
  { run: 'kubectl get configmap settings --output-watch-events --watch --request-timeout=1s -o name' },
  { run: 'kubectl get configmaps -w --request-timeout=1s' },
  { run: 'kubectl get configmaps --chunk-size=2 -o name' },
  { run: 'kubectl get --raw /api/v1/namespaces/$NS/configmaps/settings' },
  { run: 'kubectl get --raw /api/v1/namespaces/$NS/nothing' },
  { run: 'kubectl get nothing' },
  { run: 'kubectl get configmap,secret -o name' },
  { run: 'kubectl delete configmap literal --dry-run=server' },
  { run: 'kubectl delete configmap literal nothing' },
  { run: 'kubectl delete configmap -l app=api' },
  // A controller makes the ConfigMap of the cluster's certificates anew, while kubectl waits or before.
  { run: 'kubectl delete configmaps,secrets,pdb,ingress,quota --all', unordered: true, requests: 'vary' },
  { run: 'kubectl patch configmap applied -p {}' },
  {
    run: `${settings('{a: "1"}', 'held, finalizers: [example.com/hold]')}; kubectl delete configmap held --wait=false`,
  },
  { run: 'kubectl get configmap held -o jsonpath={.metadata.deletionGracePeriodSeconds}{.metadata.finalizers}' },
  { run: 'kubectl delete configmap held --timeout=1s', requests: 'vary' },
  { run: 'kubectl patch configmap held --type=merge -p \'{"metadata":{"finalizers":null}}\'' },
]
