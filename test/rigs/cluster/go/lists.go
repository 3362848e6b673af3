package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/pager"
)

// lists reads a collection in pages, and writes the status of a pod, which a change of the pod itself leaves alone.
func lists(ctx context.Context, s server) any {
	client := must(kubernetes.NewForConfig(s.config())).CoreV1()
	maps := client.ConfigMaps(namespace)
	for i := range 7 {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Name:   fmt.Sprintf("paged-%d", i),
			Labels: map[string]string{"paged": "yes"},
		}}
		must(maps.Create(ctx, object, metav1.CreateOptions{}))
	}
	first := must(maps.List(ctx, metav1.ListOptions{Limit: 3}))
	selected := must(maps.List(ctx, metav1.ListOptions{Limit: 3, LabelSelector: "paged=yes"}))
	pages := 0
	each := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		pages++
		return maps.List(ctx, o)
	})
	each.PageSize = 3
	names := []string{}
	check(each.EachListItem(ctx, metav1.ListOptions{LabelSelector: "paged=yes"}, func(object runtime.Object) error {
		names = append(names, object.(*corev1.ConfigMap).Name)
		return nil
	}))
	_, err := maps.List(ctx, metav1.ListOptions{Limit: 3, Continue: "nonsense"})
	check(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "paged=yes"}))

	pods := client.Pods(namespace)
	pod := must(pods.Get(ctx, "web-0", metav1.GetOptions{}))
	pod.Status.Message = "written"
	pod.Labels = map[string]string{"by": "status"}
	written := must(pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}))
	status := []string{written.Status.Message, written.Labels["by"]}
	written.Status.Message = "ignored"
	written.Labels = map[string]string{"by": "update"}
	updated := must(pods.Update(ctx, written, metav1.UpdateOptions{}))

	return map[string]any{
		"remaining":  first.RemainingItemCount,
		"unknown":    selected.RemainingItemCount == nil && selected.Continue != "",
		"pages":      pages,
		"names":      names,
		"bad":        apierrors.IsBadRequest(err),
		"status":     status,
		"afterwards": []string{updated.Status.Message, updated.Labels["by"]},
	}
}
