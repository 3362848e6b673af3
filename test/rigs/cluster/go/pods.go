package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/randfill"
)

// pods creates pods with random values in every field, in protobuf (the form that client-go prefers) and in JSON. The server has to keep the same.
func pods(ctx context.Context, s server) any {
	inProtobuf := must(kubernetes.NewForConfig(s.config())).CoreV1().Pods(namespace)
	config := s.config()
	config.ContentType = "application/json"
	inJSON := must(kubernetes.NewForConfig(config)).CoreV1().Pods(namespace)

	different := []*corev1.Pod{}
	for seed := range int64(20) {
		fill := randfill.NewWithSeed(seed).NilChance(0.3).NumElements(1, 2).Funcs(
			func(q *resource.Quantity, c randfill.Continue) {
				*q = *resource.NewQuantity(c.Int63n(1000), resource.DecimalSI)
			},
			func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(c.Int63n(1_000_000_000), 0).Rfc3339Copy() },
			func(v *intstr.IntOrString, c randfill.Continue) {
				if *v = intstr.FromInt32(c.Int31()); c.Bool() {
					*v = intstr.FromString(c.String(10))
				}
			},
			func(m *metav1.ObjectMeta, c randfill.Continue) { m.Name = c.String(10) },
		)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "random-"}}
		fill.Fill(&pod.Spec)
		pod.Spec.ServiceAccountName = "demo"
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "last", Image: "image"})
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].Name, pod.Spec.Containers[i].Image = "c", "image"
		}
		one := must(inProtobuf.Create(ctx, pod, metav1.CreateOptions{}))
		other := must(inJSON.Create(ctx, pod, metav1.CreateOptions{}))
		fill.Fill(&pod.Status)
		one.Status, other.Status = pod.Status, pod.Status
		one = must(inProtobuf.UpdateStatus(ctx, one, metav1.UpdateOptions{}))
		other = must(inJSON.UpdateStatus(ctx, other, metav1.UpdateOptions{}))
		if !equality.Semantic.DeepEqual(one.Spec, other.Spec) || !equality.Semantic.DeepEqual(one.Status, other.Status) {
			different = append(different, one, other)
		}
		// A change that leaves the fixed fields alone is accepted.
		one.Annotations = map[string]string{"at": time.Now().String()}
		must(inProtobuf.Update(ctx, one, metav1.UpdateOptions{}))
		check(inJSON.Delete(ctx, one.Name, metav1.DeleteOptions{}))
		check(inJSON.Delete(ctx, other.Name, metav1.DeleteOptions{}))
	}
	return map[string]any{"different": different}
}
