package main

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"

	"k8s.io/apimachinery/pkg/util/intstr"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

func labelsOf(page *Page) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "page", "app.kubernetes.io/instance": page.Name}
}

func ownerOf(page *Page) *applymetav1.OwnerReferenceApplyConfiguration {
	return applymetav1.OwnerReference().
		WithAPIVersion(groupVersion.String()).WithKind("Page").WithName(page.Name).WithUID(page.UID).
		WithController(true).WithBlockOwnerDeletion(true)
}

func filesOf(page *Page, theme map[string]string) map[string]string {
	files := map[string]string{"index.html": page.Spec.Text}
	maps.Copy(files, theme)
	return files
}

func configMapOf(page *Page, files map[string]string) *applycorev1.ConfigMapApplyConfiguration {
	return applycorev1.ConfigMap(page.Name, page.Namespace).
		WithLabels(labelsOf(page)).WithOwnerReferences(ownerOf(page)).WithData(files)
}

// Outside of what the Page owns: only the finalizer removes it.
func registrationOf(page *Page) *applycorev1.ConfigMapApplyConfiguration {
	return applycorev1.ConfigMap(registrationName(page), page.Namespace).
		WithData(map[string]string{"page": page.Name, "service": page.Name + "." + page.Namespace})
}

func registrationName(page *Page) string { return "registered-" + page.Name }

func deploymentOf(page *Page, files map[string]string) *applyappsv1.DeploymentApplyConfiguration {
	volume := applycorev1.Volume().WithName("files").
		WithConfigMap(applycorev1.ConfigMapVolumeSource().WithName(page.Name))
	container := applycorev1.Container().WithName("web").WithImage("nginx:1.29").
		WithPorts(applycorev1.ContainerPort().WithName("http").WithContainerPort(80)).
		WithVolumeMounts(applycorev1.VolumeMount().WithName("files").WithMountPath("/usr/share/nginx/html").WithReadOnly(true))
	template := applycorev1.PodTemplateSpec().
		WithLabels(labelsOf(page)).WithAnnotations(map[string]string{"checksum/files": checksum(files)}).
		WithSpec(applycorev1.PodSpec().WithContainers(container).WithVolumes(volume))
	return applyappsv1.Deployment(page.Name, page.Namespace).
		WithLabels(labelsOf(page)).WithOwnerReferences(ownerOf(page)).
		WithSpec(applyappsv1.DeploymentSpec().
			WithReplicas(replicasOf(page)).
			WithSelector(applymetav1.LabelSelector().WithMatchLabels(labelsOf(page))).
			WithTemplate(template))
}

func replicasOf(page *Page) int32 {
	if page.Spec.Replicas == nil {
		return 1
	}
	return *page.Spec.Replicas
}

func serviceOf(page *Page) *applycorev1.ServiceApplyConfiguration {
	port := applycorev1.ServicePort().WithName("http").WithPort(80).WithTargetPort(intstr.FromString("http"))
	return applycorev1.Service(page.Name, page.Namespace).
		WithLabels(labelsOf(page)).WithOwnerReferences(ownerOf(page)).
		WithSpec(applycorev1.ServiceSpec().WithSelector(labelsOf(page)).WithPorts(port))
}

func checksum(files map[string]string) string {
	hash := sha256.New()
	for _, name := range sortedKeys(files) {
		hash.Write([]byte(name + "\x00" + files[name] + "\x00"))
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}
