//! Common feed addresses of sites whose pages announce none.

use url::Url;

/// Paths used by news and blog software, most likely first.
const PATHS: [&str; 8] = ["feed", "rss", "rss.xml", "feed.xml", "atom.xml", "index.xml", "feeds/posts/default", "feed.json"];

/// Candidate feed addresses for the site or section at `address`: next to it, then at the root of its host.
pub fn common_feed_urls(address: &str) -> Vec<String> {
    let Ok(mut page) = Url::parse(address) else { return Vec::new() };
    if !matches!(page.scheme(), "http" | "https") {
        return Vec::new();
    }
    page.set_query(None);
    page.set_fragment(None);
    let mut places = Vec::new();
    for base in [page.join("./").ok(), page.join("/").ok()].into_iter().flatten() {
        for place in PATHS.iter().filter_map(|path| base.join(path).ok()).map(String::from) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beside_a_page_come_before_those_of_its_site() {
        let places = common_feed_urls("https://post.example/world/today.html?x=1#top");
        assert_eq!(places.len(), 16);
        assert_eq!(places[0], "https://post.example/world/feed");
        assert_eq!(places[8], "https://post.example/feed");
        assert_eq!(common_feed_urls("https://post.example/").len(), 8);
        assert_eq!(common_feed_urls("file:///etc"), [""; 0]);
    }
}
