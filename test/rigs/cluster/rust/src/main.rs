//! The watcher of kube-rs against an API server: with a list, in pages, and with a streaming list. The argument is a kubeconfig.
//! Prints one JSON list of changes for each.
use futures::TryStreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    api::{Api, DeleteParams, Patch, PatchParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    runtime::watcher,
    Client, Config, ResourceExt,
};
use serde_json::{from_value, json};
use std::time::Duration;

type Failure = Box<dyn std::error::Error>;

async fn change(api: &Api<ConfigMap>) -> Result<(), Failure> {
    let map: ConfigMap = from_value(json!({"metadata": {"name": "rust"}}))?;
    api.create(&PostParams::default(), &map).await?;
    let label = json!({"metadata": {"labels": {"app": "x"}}});
    api.patch("rust", &PatchParams::default(), &Patch::Merge(label)).await?;
    let applied = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}});
    api.patch("rust", &PatchParams::apply("rig").force(), &Patch::Apply(applied)).await?;
    api.delete("rust", &DeleteParams::default()).await?;
    Ok(())
}

async fn watch(api: &Api<ConfigMap>, config: watcher::Config) -> Result<Vec<String>, Failure> {
    let mut stream = Box::pin(watcher(api.clone(), config));
    let mut seen = vec![];
    loop {
        let event = tokio::time::timeout(Duration::from_secs(20), stream.try_next()).await??;
        match event.ok_or("the watch has ended")? {
            watcher::Event::InitDone => change(api).await?,
            watcher::Event::Apply(map) if map.name_any() == "rust" => {
                let data = map.data.clone().unwrap_or_default();
                seen.push(format!("{:?} {data:?}", map.labels()));
            }
            watcher::Event::Delete(map) if map.name_any() == "rust" => {
                seen.push("deleted".into());
                return Ok(seen);
            }
            _ => {}
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let file = std::env::args().nth(1).ok_or("no kubeconfig")?;
    let kubeconfig = Kubeconfig::read_from(file)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let api: Api<ConfigMap> = Api::namespaced(Client::try_from(config)?, "lab");
    let mut all = vec![];
    for config in [
        watcher::Config::default(),
        watcher::Config::default().page_size(1),
        watcher::Config::default().streaming_lists(),
    ] {
        all.push(watch(&api, config).await?);
    }
    println!("{}", json!(all));
    Ok(())
}
