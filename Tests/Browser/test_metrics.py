# SPDX-License-Identifier: MIT
"""The text of /metrics, read by Prometheus' own parser."""

from prometheus_client.parser import text_string_to_metric_families


def test_prometheus_reads_the_metrics(context, url):
    session = url.rstrip("/") + context.request.post(url + "sessions/login").json()["url"]
    for _ in range(3):
        assert context.request.post(f"{session}/actions/usernameDidChange", data='"maruko"', headers={"content-type": "application/json"}).ok
    answer = context.request.get(url + "metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"

    families = {family.name: family for family in text_string_to_metric_families(answer.text())}
    samples = [(sample.name, tuple(sorted(sample.labels.items()))) for f in families.values() for sample in f.samples]
    assert len(samples) == len(set(samples)), "no series is there twice"
    assert all(family.documentation and family.type != "unknown" for family in families.values())

    labels = {"route": "/sessions/{model}/{id}/actions/{path}", "method": "POST", "status": "200"}
    actions = [sample.value for sample in families["euripus_http_requests"].samples if sample.labels == labels]
    assert len(actions) == 1 and actions[0] >= 3

    histogram = families["euripus_action_duration_seconds"]
    assert histogram.type == "histogram"
    of_login = [sample for sample in histogram.samples if sample.labels["model"] == "login"]
    buckets = [(float(s.labels["le"]), s.value) for s in of_login if s.name.endswith("_bucket")]
    assert buckets == sorted(buckets) and buckets[-1][0] == float("inf")
    assert [count for _, count in buckets] == sorted(count for _, count in buckets)
    count = next(sample.value for sample in of_login if sample.name.endswith("_count"))
    assert count == buckets[-1][1] >= 3
    assert next(sample.value for sample in of_login if sample.name.endswith("_sum")) > 0
    assert families["process_resident_memory_bytes"].samples[0].value > 1_000_000
