package main

import (
	"context"
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/randfill"
)

// kinds creates objects of every kind but pods with random values, in protobuf and in JSON. The server has to keep the same.
func kinds(ctx context.Context, s server) any {
	config := s.config()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	inProtobuf := must(kubernetes.NewForConfig(config))
	config = s.config()
	config.ContentType = "application/json"
	inJSON := must(kubernetes.NewForConfig(config))

	core := func(c *kubernetes.Clientset) rest.Interface { return c.CoreV1().RESTClient() }
	roles := func(c *kubernetes.Clientset) rest.Interface { return c.RbacV1().RESTClient() }
	leases := func(c *kubernetes.Clientset) rest.Interface { return c.CoordinationV1().RESTClient() }
	view := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"}
	rules := []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{"", "x"}, Resources: []string{"pods"}, ResourceNames: []string{"a"}}}

	different := []any{}
	for seed := range int64(10) {
		fill := randfill.NewWithSeed(seed).NilChance(0.3).NumElements(1, 2).Funcs(
			func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(c.Int63n(1_000_000_000), 0).Rfc3339Copy() },
			func(t *metav1.MicroTime, c randfill.Continue) {
				*t = metav1.NewMicroTime(metav1.Unix(c.Int63n(1_000_000_000), c.Int63n(1_000_000)*1000).Time)
			},
			func(m *metav1.TypeMeta, c randfill.Continue) {},
			func(m *metav1.ObjectMeta, c randfill.Continue) {
				m.GenerateName = "random-"
				m.Labels = map[string]string{"a": "b"}
				m.Annotations = map[string]string{"c": c.String(10)}
				m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "uid"}}
			},
			func(spec *coordinationv1.LeaseSpec, c randfill.Continue) {
				c.FillNoCustom(spec)
				seconds, transitions := int32(15), int32(2)
				spec.LeaseDurationSeconds, spec.LeaseTransitions = &seconds, &transitions
			},
			func(s *corev1.SecretType, c randfill.Continue) { *s = "example.com/random" },
			func(r *rbacv1.RoleRef, c randfill.Continue) { *r = view },
			func(r *[]rbacv1.PolicyRule, c randfill.Continue) { *r = rules },
			func(s *rbacv1.Subject, c randfill.Continue) {
				*s = rbacv1.Subject{Kind: "User", APIGroup: rbacv1.GroupName, Name: "random"}
			},
		)
		for _, kind := range []struct {
			in        func(*kubernetes.Clientset) rest.Interface
			plural    string
			namespace string
			object    runtime.Object
		}{
			{core, "configmaps", namespace, &corev1.ConfigMap{}},
			{core, "events", namespace, &corev1.Event{}},
			{core, "namespaces", "", &corev1.Namespace{}},
			{core, "nodes", "", &corev1.Node{}},
			{core, "secrets", namespace, &corev1.Secret{}},
			{core, "serviceaccounts", namespace, &corev1.ServiceAccount{}},
			{roles, "roles", namespace, &rbacv1.Role{}},
			{roles, "rolebindings", namespace, &rbacv1.RoleBinding{}},
			{leases, "leases", namespace, &coordinationv1.Lease{}},
		} {
			fill.Fill(kind.object)
			create := func(c *kubernetes.Clientset) runtime.Object {
				made := kind.object.DeepCopyObject()
				answer := kind.in(c).Post().Resource(kind.plural).NamespaceIfScoped(kind.namespace, kind.namespace != "").Body(kind.object).Do(ctx)
				if err := answer.Into(made); err != nil {
					check(fmt.Errorf("%s: %w", kind.plural, err))
				}
				meta := made.(metav1.ObjectMetaAccessor).GetObjectMeta()
				name := meta.GetName()
				check(kind.in(c).Delete().Resource(kind.plural).NamespaceIfScoped(kind.namespace, kind.namespace != "").Name(name).Do(ctx).Error())
				// The identity of an object is its own.
				meta.SetName("")
				meta.SetUID("")
				meta.SetResourceVersion("")
				meta.SetCreationTimestamp(metav1.Time{})
				meta.SetManagedFields(nil)
				if labels := meta.GetLabels(); labels != nil {
					delete(labels, "kubernetes.io/metadata.name")
				}
				return made
			}
			if one, other := create(inProtobuf), create(inJSON); !equality.Semantic.DeepEqual(one, other) {
				different = append(different, kind.plural, one, other)
			}
		}
	}
	return map[string]any{"different": different}
}
