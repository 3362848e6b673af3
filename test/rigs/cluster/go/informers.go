package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const namespace = "lab"

// requests counts what a reflector sends.
type requests struct {
	lists, watches, gone atomic.Int32
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (c *requests) counted(config *rest.Config) *rest.Config {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			answer, err := next.RoundTrip(r)
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/configmaps") {
				if r.URL.Query().Get("watch") != "" {
					c.watches.Add(1)
				} else {
					c.lists.Add(1)
				}
				if err == nil && answer.StatusCode == http.StatusGone {
					c.gone.Add(1)
				}
			}
			return answer, err
		})
	})
	return config
}

// informers watches ConfigMaps while another client creates, labels, annotates, applies and deletes one.
func informers(ctx context.Context, s server) any {
	var counted requests
	watching := must(kubernetes.NewForConfig(counted.counted(s.config())))
	client := must(kubernetes.NewForConfig(s.config())).CoreV1().ConfigMaps(namespace)

	seen := make(chan string, 100)
	next := func() string {
		select {
		case event := <-seen:
			return event
		case <-time.After(20 * time.Second):
			return "nothing"
		}
	}
	show := func(kind string, object any) {
		m := object.(*corev1.ConfigMap)
		if m.Name != "informed" {
			return
		}
		seen <- fmt.Sprintf("%s %s %s %s", kind, m.Labels["app"], m.Annotations["note"], m.Data["a"])
	}
	// The first watch is at a version that the server has forgotten, as after a long time without a network.
	list := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			maps, err := watching.CoreV1().ConfigMaps(namespace).List(ctx, o)
			if err == nil && counted.gone.Load() == 0 {
				maps.ResourceVersion = "1"
			}
			return maps, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return watching.CoreV1().ConfigMaps(namespace).Watch(ctx, o)
		},
	}
	informer := cache.NewSharedIndexInformer(list, &corev1.ConfigMap{}, 0, cache.Indexers{})
	must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { show("added", object) },
		UpdateFunc: func(_, object any) { show("updated", object) },
		DeleteFunc: func(object any) { show("deleted", object) },
	}))
	go informer.Run(ctx.Done())
	// A streaming list is a watch, and begins at the present.
	for !informer.HasSynced() || counted.lists.Load() > 0 && counted.gone.Load() == 0 {
		check(ctx.Err())
		time.Sleep(20 * time.Millisecond)
	}

	made := must(client.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "informed"},
		Data:       map[string]string{"a": "1"},
	}, metav1.CreateOptions{}))
	events := []string{next()}
	label := []byte(`{"metadata":{"labels":{"app":"x"}}}`)
	must(client.Patch(ctx, "informed", types.StrategicMergePatchType, label, metav1.PatchOptions{}))
	events = append(events, next())
	note := []byte(`[{"op":"add","path":"/metadata/annotations","value":{"note":"y"}}]`)
	must(client.Patch(ctx, "informed", types.JSONPatchType, note, metav1.PatchOptions{}))
	events = append(events, next())
	apply := applycorev1.ConfigMap("informed", namespace).WithData(map[string]string{"a": "2"})
	_, err := client.Apply(ctx, apply, metav1.ApplyOptions{FieldManager: "rig"})
	conflict := apierrors.IsConflict(err)
	must(client.Apply(ctx, apply, metav1.ApplyOptions{FieldManager: "rig", Force: true}))
	events = append(events, next())
	_, err = client.Update(ctx, made, metav1.UpdateOptions{})
	stale := apierrors.IsConflict(err)
	check(client.Delete(ctx, "informed", metav1.DeleteOptions{}))
	events = append(events, next())

	return map[string]any{
		"events":   events,
		"conflict": conflict,
		"stale":    stale,
		"gone":     counted.gone.Load(),
		"lists":    counted.lists.Load(),
		"watches":  counted.watches.Load(),
		"left":     len(informer.GetStore().ListKeys()),
	}
}
