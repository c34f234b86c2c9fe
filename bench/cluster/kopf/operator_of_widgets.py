"""The workload of the benchmark as a kopf operator: create-or-update out of kopf's own indices, on uvloop.

Requests go through one aiohttp session, since the official client of Python would hold up the event loop.
"""
import base64
import os
import ssl
import tempfile

import aiohttp
import kopf
import yaml

GROUP, VERSION = "bench.rolebook.dev", "v1"
NAMESPACE = "bench"
KINDS = ["Widget" if number == 1 else f"Widget{number}" for number in range(1, int(os.environ["WIDGET_KINDS"]) + 1)]
OBJECTS = int(os.environ["WIDGET_OBJECTS"])
CONNECTIONS = 16


@kopf.on.startup()
async def connect(settings: kopf.OperatorSettings, memo: kopf.Memo, **_):
    settings.posting.enabled = False
    settings.persistence.finalizer = "bench.rolebook.dev/kopf"
    with open(os.environ["KUBECONFIG"]) as file:
        config = yaml.safe_load(file)
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    context = ssl.create_default_context(cadata=decode(cluster["certificate-authority-data"]))
    with tempfile.NamedTemporaryFile("w") as pem:
        pem.write(decode(user["client-certificate-data"]) + "\n" + decode(user["client-key-data"]))
        pem.flush()
        context.load_cert_chain(pem.name)
    connector = aiohttp.TCPConnector(ssl=context, limit=CONNECTIONS)
    memo.session = aiohttp.ClientSession(cluster["server"], connector=connector)


@kopf.on.cleanup()
async def disconnect(memo: kopf.Memo, **_):
    await memo.session.close()


def on_children(decorator):
    """Decorates a function for each kind of child."""
    def decorate(function):
        for plural in ("configmaps", "secrets", "serviceaccounts"):
            function = decorator("v1", plural, field="metadata.ownerReferences", value=kopf.PRESENT)(function)
        return function
    return decorate


def on_widgets(*decorators):
    """Decorates a function for each kind of widget."""
    def decorate(function):
        for kind in KINDS:
            for decorator in decorators:
                function = decorator(GROUP, VERSION, kind.lower() + "s")(function)
        return function
    return decorate


@on_children(kopf.index)
def children(body, **_):
    return {(body["kind"], body["metadata"]["name"]): {"data": body.get("data"), "owners": body["metadata"]["ownerReferences"]}}


@on_widgets(kopf.index)
def widgets(body, **_):
    return {body["metadata"]["name"]: {"kind": body["kind"], "metadata": dict(body["metadata"]), "spec": dict(body["spec"])}}


@on_widgets(kopf.on.create, kopf.on.update, kopf.on.resume)
async def reconcile(body, status, patch, memo, children, **_):
    for wanted in children_of(body):
        await ensure(memo.session, wanted, children)
    generation = body["metadata"]["generation"]
    if status.get("observedGeneration") != generation:
        patch.status.update({"observedGeneration": generation, "text": body["spec"]["text"]})


@on_children(kopf.on.event)
async def repair(event, body, memo, children, widgets, **_):
    owner = body["metadata"]["ownerReferences"][0]["name"]
    for widget in widgets.get(owner, ()):
        for wanted in children_of(widget):
            if (wanted["kind"], wanted["metadata"]["name"]) == (body["kind"], body["metadata"]["name"]):
                await ensure(memo.session, wanted, children, is_gone=event["type"] == "DELETED")


async def ensure(session, wanted, children, is_gone=False):
    name = wanted["metadata"]["name"]
    path = f"/api/v1/namespaces/{NAMESPACE}/{wanted['kind'].lower()}s"
    known = () if is_gone else children.get((wanted["kind"], name), ())
    for child in known:
        if child["data"] == wanted.get("data") and child["owners"] == wanted["metadata"]["ownerReferences"]:
            return
        await send(session, "PUT", f"{path}/{name}", wanted)
        return
    await send(session, "POST", path, wanted)


async def send(session, method, path, body):
    async with session.request(method, path, json=body) as answer:
        if answer.status >= 300 and answer.status != 409:
            raise kopf.TemporaryError(f"{method} {path}: {answer.status} {await answer.text()}", delay=1)


def children_of(widget):
    name, spec = widget["metadata"]["name"], widget["spec"]
    token = base64.b64encode(spec["token"].encode()).decode()
    names = [name if number == 0 else f"{name}-{number}" for number in range(OBJECTS - 2)]
    yield from (child_of(widget, "ConfigMap", one, data={"text": spec["text"]}) for one in names)
    yield child_of(widget, "Secret", name, data={"token": token})
    yield child_of(widget, "ServiceAccount", name)


def child_of(widget, kind, name, **content):
    owner = {"apiVersion": f"{GROUP}/{VERSION}", "kind": widget["kind"], "name": widget["metadata"]["name"],
             "uid": widget["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
    metadata = {"name": name, "namespace": NAMESPACE, "ownerReferences": [owner]}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **content}


def decode(text):
    return base64.b64decode(text).decode()
