import type { Command } from '../kubectl-session.ts'

const apply = (yaml: string) => `kubectl apply -f - <<'EOF'\n${yaml.trim()}\nEOF`
const template = (image = 'nginx:1.25', more = '') => `
  template:
    metadata: {labels: {app: own}}
    spec:
      ${more}
      containers: [{name: main, image: ${image}}]`
const pods = (count: number, selector = 'app=own') =>
  `until [ $(kubectl get pods -l ${selector} -o name | wc -l) = ${count} ]; do sleep 0.2; done`
const untilRolledOut = (workload: string): Command => ({
  run: `kubectl rollout status ${workload} --timeout=60s`,
  requests: 'vary',
  differs: 'each line shows a moment',
})

const stateful: readonly Command[] = [
  {
    run: apply(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 1
  selector: {matchLabels: {app: own}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}}}]
${template()}`),
  },
  { run: 'kubectl get pvc', differs: 'the sandbox binds claims of every class' },
  { run: 'kubectl delete statefulset db' },
  { run: 'kubectl wait --for=delete pod -l app=own --timeout=60s', differs: 'names only those that are still there' },
  { run: 'kubectl delete pvc --all', requests: 'vary', differs: 'the sandbox binds claims of every class' },
  {
    run: apply(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: app}
spec:
  serviceName: app
  replicas: 2
  selector: {matchLabels: {app: own}}
${template()}`),
  },
  untilRolledOut('statefulset/app'),
  { run: 'kubectl get statefulset app -o wide' },
  { run: 'kubectl get pods -l app=own' },
  { run: 'kubectl describe statefulset app' },
  { run: 'kubectl scale statefulset app --replicas=3' },
  untilRolledOut('statefulset/app'),
  { run: 'kubectl set image statefulset/app main=nginx:1.26' },
  untilRolledOut('statefulset/app'),
  { run: 'kubectl rollout history statefulset/app' },
  { run: 'kubectl rollout undo statefulset/app' },
  untilRolledOut('statefulset/app'),
  { run: 'kubectl get controllerrevisions', unordered: true },
  { run: 'kubectl describe pod app-0', differs: 'kwok does not report what a kubelet does' },
  { run: 'kubectl get pod app-0 -o yaml', differs: 'the nodes have other names' },
  { run: 'kubectl delete pod app-0 --grace-period=0 --force', requests: 'vary' },
  { run: 'kubectl wait --for=condition=Ready pod/app-0 --timeout=30s', requests: 'vary' },
  { run: 'kubectl delete statefulset app --wait=false' },
  { run: pods(0), requests: 'vary' },
  {
    run: 'kubectl get events --field-selector involvedObject.kind=StatefulSet -o custom-columns=R:.reason,M:.message,T:.type,F:.source.component',
    unordered: true,
  },
]

const daemons: readonly Command[] = [
  {
    run: apply(
      `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec:\n  selector: {matchLabels: {app: own}}\n${template()}`,
    ),
  },
  untilRolledOut('daemonset/agent'),
  { run: pods(1), requests: 'vary' },
  { run: 'kubectl get daemonset agent -o wide', differs: 'there are more nodes while other suites work' },
  { run: 'kubectl set image daemonset/agent main=nginx:1.26' },
  untilRolledOut('daemonset/agent'),
  { run: 'kubectl rollout history daemonset/agent' },
  { run: 'kubectl rollout history daemonset/agent --revision=1' },
  { run: 'kubectl rollout undo daemonset/agent --to-revision=1' },
  untilRolledOut('daemonset/agent'),
  { run: 'kubectl rollout restart daemonset/agent' },
  untilRolledOut('daemonset/agent'),
  { run: 'kubectl delete daemonset agent' },
  { run: pods(0), requests: 'vary' },
  {
    run: 'kubectl get events --field-selector involvedObject.kind=DaemonSet -o custom-columns=R:.reason,M:.message,F:.source.component',
    unordered: true,
  },
]

const jobs: readonly Command[] = [
  { run: 'kubectl create job once --image=busybox -- true' },
  { run: 'kubectl wait --for=condition=Complete job/once --timeout=60s', requests: 'vary' },
  { run: 'kubectl get job once' },
  { run: 'kubectl get pods -l job-name=once', unordered: true },
  { run: 'kubectl describe job once' },
  { run: "kubectl get job once -o jsonpath='{.status.succeeded} {.status.conditions[*].type} {.spec.completions}'" },
  { run: 'kubectl create cronjob nightly --image=busybox --schedule="0 3 * * *" -- true' },
  { run: 'kubectl get cronjob' },
  { run: 'kubectl create job by-hand --from=cronjob/nightly' },
  { run: 'kubectl wait --for=condition=Complete job/by-hand --timeout=60s', requests: 'vary' },
  { run: 'kubectl patch cronjob nightly -p \'{"spec":{"suspend":true}}\'' },
  { run: 'kubectl describe cronjob nightly' },
  { run: 'kubectl create cronjob bad --image=busybox --schedule="every night"' },
  { run: 'kubectl delete cronjob nightly' },
  { run: 'kubectl delete job once by-hand --ignore-not-found', differs: 'jobs of the cron job may be gone' },
  { run: pods(0, 'batch.kubernetes.io/job-name'), requests: 'vary' },
  {
    run: 'kubectl get events --field-selector involvedObject.kind=Job -o custom-columns=R:.reason,M:.message,F:.source.component',
    unordered: true,
  },
]

const single: readonly Command[] = [
  { run: 'kubectl run box --image=busybox --labels=app=box --port=80 --expose' },
  { run: 'kubectl wait --for=condition=Ready pod/box --timeout=60s', requests: 'vary' },
  { run: 'kubectl get pod box' },
  { run: 'kubectl get pod box -o yaml', differs: 'the nodes have other names' },
  { run: 'kubectl label pod box tier=front' },
  { run: 'kubectl set image pod/box box=busybox:2' },
  { run: 'kubectl annotate pod box note=x --overwrite' },
  {
    run: 'kubectl patch pod box -p \'{"spec":{"nodeName":"other"}}\'',
    differs: 'the real server prints the pod as a Go struct',
  },
  { run: 'kubectl run dry --image=busybox --dry-run=server -o name' },
  { run: 'kubectl run dry --image=busybox --dry-run=client -o yaml' },
  { run: 'kubectl run bad --image=" "' },
  { run: 'kubectl delete pod box --now', requests: 'vary' },
  { run: 'kubectl delete service box' },
  { run: 'kubectl create service clusterip plain --tcp=80:8080' },
  { run: 'kubectl create service externalname far --external-name=example.com' },
  { run: 'kubectl get services' },
  { run: 'kubectl describe service far' },
  { run: 'kubectl create service loadbalancer edge --tcp=443', differs: 'no cloud gives an address there' },
  { run: 'kubectl delete services --all', unordered: true },
  {
    run: apply(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: lost}\nspec: {nodeSelector: {no: such}, containers: [{name: a, image: b}]}',
    ),
  },
  {
    run: 'kubectl wait --for=jsonpath="{.status.conditions[0].reason}"=Unschedulable pod/lost --timeout=30s',
    requests: 'vary',
  },
  { run: 'kubectl get pods lost -o wide' },
  { run: 'kubectl describe pod lost' },
  { run: 'kubectl delete pod lost' },
  {
    run: apply(
      'apiVersion: v1\nkind: ReplicationController\nmetadata: {name: old}\nspec: {replicas: 1, selector: {app: own}, template: {metadata: {labels: {app: own}}, spec: {containers: [{name: a, image: b}]}}}',
    ),
  },
  { run: 'kubectl get rc' },
  { run: 'kubectl delete rc old' },
]

/** What the other controllers make of what they are given. */
export const commands: readonly Command[] = [...stateful, ...daemons, ...jobs, ...single]
