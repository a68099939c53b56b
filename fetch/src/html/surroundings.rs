//! Removal of the text around the main content, on pages that are no article.
//!
//! Elements count by their tag, by words in their names, and by their heading. Forums are read by their posts.

use super::{blocks, names};
use dom_query::{NodeId, NodeRef};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Words in names of elements around the content, and of text for screen readers alone.
const NAMES: &str = "ad, ads, advert, banner, breadcrumb, breadcrumbs, cart, categories, consent, cookie, cookies, \
    copyright, country, currency, dialog, disclaimer, drawer, dropdown, filter, filters, footer, language, legal, login, \
    menu, modal, nav, navbar, navigation, newsletter, pagination, popular, popup, promo, rating, reader, recommendations, \
    recommended, related, review, reviews, screenreader, search, share, sharing, shipping, sidebar, signup, similar, skip, \
    social, sort, sr, subscribe, tooltip, trending, upsell, variants, visually";
/// Words in names of search results. They are content, though the name of a search around them is not.
const RESULTS: &str = "grid, result, results";
/// Starts of headings of sections that point away from the one subject of a page.
const HEADINGS: &str = "also bought, also available, comments, contact us, customer review, customers also, explore \
    more, featured, follow, frequently bought, from our blog, from the blog, get in touch, latest, more from, more like, \
    newsletter, others also, people also, popular, rating, recent, recommend, related, review, share, shop by, sign up, \
    similar, sponsored, subscribe, suggested, testimonial, top rated, trending, what our, you may, you might";
/// Words in names of posts.
const POSTS: &str = "post, message, comment, reply, answer";
/// Words in names of elements of a post that are not its text.
const POST_DETAILS: &str = "actions, attribution, avatar, badge, badges, buttons, comments, controls, extras, header, \
    likes, menu, notice, poster, postprofile, profile, reactions, share, sig, signature, stats, tags, toolbar, user, \
    userextras, userinfo, vote, votes, voting";
/// Elements that are around the content by their tag.
const SURROUNDING_TAGS: [&str; 7] = ["nav", "footer", "aside", "menu", "fieldset", "header", "form"];
/// Words of a form from which it holds content.
const CONTENT_FORM_WORDS: usize = 150;
/// Elements of one class that make a series, such as the parts of a price list.
const MIN_SERIES: usize = 3;
/// Cards with a picture, a link and a price that make a row of products.
const MIN_OFFERS: usize = 3;
/// Signs of a price, beside digits.
const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];
/// Words of a heading.
const MAX_HEADING_WORDS: usize = 8;

/// Kinds of page with rules of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// A thread of posts.
    Posts,
    /// One product or service.
    One,
    /// Many things, as in a listing.
    Many,
}

/// The parts of the page with its main content. Everything else inside them is removed.
pub(super) fn content_parts<'a>(body: &NodeRef<'a>, subject: Subject) -> Vec<NodeRef<'a>> {
    let mut page = Measures::read(body);
    if subject == Subject::Posts
        && let Some(posts) = page.posts(body)
    {
        posts.iter().for_each(|post| page.remove_post_details(post, page.words(post)));
        return posts;
    }
    page.read_names(body);
    page.surroundings(body, subject).iter().for_each(NodeRef::remove_from_parent);
    remove_preface(body);
    if subject == Subject::One {
        remove_sections(body);
    }
    let part = main_element(body).unwrap_or(*body);
    if subject == Subject::One {
        remove_offers(&part);
    }
    vec![part]
}

/// Names that do not count on one page.
#[derive(Default)]
struct Exceptions {
    names: HashSet<&'static str>,
    series: HashSet<String>,
}

/// Words that each element shows, and whether it holds the main heading or element.
#[derive(Default)]
struct Measures {
    words: HashMap<NodeId, usize>,
    holders: HashSet<NodeId>,
    /// Listed names of elements around the content.
    names: HashMap<NodeId, Vec<&'static str>>,
    /// Words outside navigation, headers and footers.
    content_words: usize,
}

impl Measures {
    fn read(body: &NodeRef<'_>) -> Self {
        let mut page = Self::default();
        page.measure(body, false);
        page
    }

    fn read_names(&mut self, body: &NodeRef<'_>) {
        let shown = body.descendants_it().filter(|node| self.words(node) > 0);
        let named = shown.map(|node| (node.id, names::listed_names(&node, NAMES))).filter(|(_, listed)| !listed.is_empty());
        self.names = named.collect();
    }

    fn measure(&mut self, node: &NodeRef<'_>, is_outside: bool) -> (usize, bool) {
        if node.is_text() {
            let words = node.text().split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
            self.content_words += if is_outside { 0 } else { words };
            self.words.insert(node.id, words);
            return (words, false);
        }
        if blocks::is_skipped(node) {
            return (0, false);
        }
        let is_outside = is_outside || is_tag(node, &["nav", "header", "footer"]);
        let (mut words, mut is_holder) = (0, false);
        for child in node.children_it(false) {
            let (more, is_main) = self.measure(&child, is_outside);
            words += more;
            is_holder |= is_main;
        }
        self.words.insert(node.id, words);
        if is_holder {
            self.holders.insert(node.id);
        }
        (words, is_holder || words > 0 && (is_main(node) || is_tag(node, &["article", "h1"])))
    }

    fn words(&self, node: &NodeRef<'_>) -> usize {
        self.words.get(&node.id).copied().unwrap_or(0)
    }

    /// Outermost elements around the content. Where less than a fifth would stay, the name that hides the most does not count.
    fn surroundings<'a>(&self, body: &NodeRef<'a>, subject: Subject) -> Vec<NodeRef<'a>> {
        let mut except = Exceptions::default();
        let mut found = self.find_surroundings(body, &except);
        if subject == Subject::One {
            except.series = self.large_series(&found);
        }
        if !except.series.is_empty() {
            found = self.find_surroundings(body, &except);
        }
        loop {
            let removed: usize = found.iter().map(|node| self.words(node)).sum();
            if (self.words(body) - removed) * 5 >= self.content_words {
                return found;
            }
            let Some(name) = self.largest_name(&found, &except) else { return found };
            except.names.insert(name);
            found = self.find_surroundings(body, &except);
        }
    }

    fn find_surroundings<'a>(&self, body: &NodeRef<'a>, except: &Exceptions) -> Vec<NodeRef<'a>> {
        let mut found = Vec::new();
        self.add_surroundings(body, except, &mut found);
        found
    }

    fn add_surroundings<'a>(&self, node: &NodeRef<'a>, except: &Exceptions, found: &mut Vec<NodeRef<'a>>) {
        for child in node.children_it(false).filter(|child| self.words(child) > 0) {
            let is_content = self.holders.contains(&child.id) || is_main(&child) || is_tag(&child, &["article", "h1"]);
            if !is_content && self.is_surrounding(&child, except) {
                found.push(child);
            } else {
                self.add_surroundings(&child, except, found);
            }
        }
    }

    fn is_surrounding(&self, node: &NodeRef<'_>, except: &Exceptions) -> bool {
        let Some(tag) = node.node_name() else { return false };
        match &*tag {
            "nav" | "footer" | "aside" | "menu" | "fieldset" => true,
            "header" => !node.ancestors_it(None).any(|outer| is_tag(&outer, &["main", "article"])),
            "form" => self.words(node) < CONTENT_FORM_WORDS,
            _ => self.words(node) * 2 <= self.content_words && self.is_named_surrounding(node, except),
        }
    }

    fn is_named_surrounding(&self, node: &NodeRef<'_>, except: &Exceptions) -> bool {
        let listed = self.counted_names(node, except);
        let is_results = listed.iter().all(|name| *name == "search") && names::has_name(node, RESULTS);
        !listed.is_empty() && !is_results && !except.series.contains(&series(node))
    }

    fn counted_names(&self, node: &NodeRef<'_>, except: &Exceptions) -> Vec<&'static str> {
        let listed = self.names.get(&node.id).into_iter().flatten();
        listed.copied().filter(|name| !except.names.contains(name)).collect()
    }

    /// The name whose elements have the most words.
    fn largest_name(&self, found: &[NodeRef<'_>], except: &Exceptions) -> Option<&'static str> {
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        for node in found.iter().filter(|node| !is_tag(node, &SURROUNDING_TAGS)) {
            for name in self.counted_names(node, except) {
                *words.entry(name).or_default() += self.words(node);
            }
        }
        words.into_iter().max_by_key(|(_, words)| *words).map(|(name, _)| name)
    }

    /// Series of elements of one class that have more than a quarter of the words: they are content.
    fn large_series(&self, found: &[NodeRef<'_>]) -> HashSet<String> {
        let mut sizes: HashMap<String, (usize, usize)> = HashMap::new();
        for node in found {
            let (count, words) = sizes.entry(series(node)).or_default();
            *count += 1;
            *words += self.words(node);
        }
        let is_large = |(count, words): (usize, usize)| count >= MIN_SERIES && words * 4 > self.content_words;
        sizes.into_iter().filter(|(_, size)| is_large(*size)).map(|(series, _)| series).collect()
    }

    /// Posts of a thread: the elements of one kind, named as posts, with the most words.
    fn posts<'a>(&self, body: &NodeRef<'a>) -> Option<Vec<NodeRef<'a>>> {
        let mut groups: BTreeMap<String, (HashSet<NodeId>, Vec<NodeRef<'a>>)> = BTreeMap::new();
        for node in body.descendants_it().filter(|node| self.words(node) > 0 && names::has_name(node, POSTS)) {
            if !is_tag(&node, &["div", "li", "article", "section", "tr", "table", "td"]) {
                continue;
            }
            let class = node.class().unwrap_or_default();
            let kind =
                format!("{} {}", node.node_name().unwrap_or_default(), class.split_whitespace().next().unwrap_or_default());
            let (known, posts) = groups.entry(kind).or_default();
            if !node.ancestors_it(None).any(|outer| known.contains(&outer.id)) {
                known.insert(node.id);
                posts.push(node);
            }
        }
        let words = |posts: &[NodeRef<'_>]| posts.iter().map(|post| self.words(post)).sum::<usize>();
        let groups = groups.into_values().map(|(_, posts)| posts).filter(|posts| posts.len() > 1);
        groups.max_by_key(|posts| words(posts)).filter(|posts| words(posts) * 10 >= self.content_words * 3)
    }

    /// Removes what is small in a post and named as a detail.
    fn remove_post_details(&self, node: &NodeRef<'_>, post_words: usize) {
        for child in node.children() {
            let is_detail = self.words(&child) * 10 <= post_words * 3 && names::has_name(&child, POST_DETAILS);
            if is_detail || is_tag(&child, &["nav", "footer", "aside"]) {
                child.remove_from_parent();
            } else {
                self.remove_post_details(&child, post_words);
            }
        }
    }
}

/// Removes what stands before the main heading, up to half of the page.
fn remove_preface(body: &NodeRef<'_>) {
    let page = Measures::read(body);
    let Some(heading) = body.descendants_it().find(|node| is_tag(node, &["h1"]) && page.words(node) > 0) else { return };
    let mut before = Vec::new();
    for inner in std::iter::once(heading).chain(heading.ancestors_it(None)).take_while(|node| node.id != body.id) {
        before.extend(std::iter::successors(inner.prev_sibling(), NodeRef::prev_sibling));
    }
    if before.iter().map(|node| page.words(node)).sum::<usize>() * 2 < page.words(body) {
        before.iter().for_each(NodeRef::remove_from_parent);
    }
}

/// Removes sections under headings that point away from the subject, up to a third of the page.
fn remove_sections(body: &NodeRef<'_>) {
    let page = Measures::read(body);
    let headings = body.descendants_it().filter(|node| is_tag(node, &["h2", "h3", "h4", "h5", "h6"]));
    let mut found = Vec::new();
    for heading in headings {
        let title = heading.text().trim().to_lowercase();
        if page.words(&heading) > MAX_HEADING_WORDS || !HEADINGS.split(", ").any(|start| title.starts_with(start)) {
            continue;
        }
        let mut section = heading;
        while let Some(outer) = section.parent() {
            let is_first =
                outer.children_it(false).find(|child| page.words(child) > 0).is_some_and(|first| first.id == section.id);
            if !is_first || page.words(&outer) * 3 > page.words(body) || is_main(&outer) || is_tag(&outer, &["article"]) {
                break;
            }
            section = outer;
        }
        if page.words(&section) > page.words(&heading) {
            found.push(section);
        }
    }
    found.iter().for_each(NodeRef::remove_from_parent);
}

/// Removes rows of other products: elements of at most half the words, half of whose children are a linked picture with a price.
fn remove_offers(part: &NodeRef<'_>) {
    let page = Measures::read(part);
    let is_row = |node: &NodeRef<'_>| {
        let children: Vec<_> = node.children_it(false).filter(|child| child.is_element() && page.words(child) > 0).collect();
        // Most elements have one or two children: the text of these is not read again at every level.
        children.len() >= MIN_OFFERS && {
            let offers = children.iter().filter(|child| is_offer(child)).count();
            offers >= MIN_OFFERS && offers * 2 >= children.len()
        }
    };
    let small = part.descendants_it().filter(|node| node.is_element() && page.words(node) * 2 <= page.words(part));
    let rows: Vec<_> = small.filter(is_row).collect();
    rows.iter().for_each(NodeRef::remove_from_parent);
}

fn is_offer(card: &NodeRef<'_>) -> bool {
    let is_link = |node: &NodeRef<'_>| is_tag(node, &["a"]) && node.attr("href").is_some_and(|to| !to.starts_with('#'));
    let text = card.text();
    text.contains(CURRENCIES)
        && text.contains(|c: char| c.is_ascii_digit())
        && card.descendants_it().any(|node| is_tag(&node, &["img", "picture"]))
        && std::iter::once(*card).chain(card.descendants_it()).any(|node| is_link(&node))
}

/// The `main` or `article` element with at least half of the words.
fn main_element<'a>(body: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let page = Measures::read(body);
    let largest = |is_wanted: fn(&NodeRef<'_>) -> bool| {
        let found = body.descendants_it().filter(is_wanted).max_by_key(|node| page.words(node));
        found.filter(|node| page.words(node) * 2 >= page.words(body))
    };
    largest(is_main).or_else(|| largest(|node| is_tag(node, &["article"])))
}

fn is_main(node: &NodeRef<'_>) -> bool {
    is_tag(node, &["main"]) || node.attr("role").is_some_and(|role| &*role == "main")
}

fn is_tag(node: &NodeRef<'_>, tags: &[&str]) -> bool {
    node.qual_name_ref().is_some_and(|name| tags.contains(&&*name.local))
}

/// Tag and class of an element.
fn series(node: &NodeRef<'_>) -> String {
    format!("{} {}", node.node_name().unwrap_or_default(), node.class().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::ParseConfig, html::blocks::TextScope};
    use dom_query::Document;

    fn read(body: &str, subject: Subject) -> String {
        let document = Document::from(format!("<html><body>{body}</body></html>"));
        let parts = content_parts(&document.body().expect("a body"), subject);
        blocks::nodes_text(&parts, TextScope::Parts, None, &ParseConfig::default()).text
    }

    #[test]
    fn surroundings_are_recognised_by_tag_and_name() {
        let content = "<h1>Bow thruster</h1><p>Pushes the bow of a barge sideways, up to eight tons.</p>";
        for around in [
            "<nav>Home</nav>",
            "<header>Port shop</header>",
            "<div class='site-footer'>Rights</div>",
            "<div id='cookieBanner'>We use cookies.</div>",
            "<div role='dialog'>Sign in</div>",
            "<form>Search the shop</form>",
            "<span class='sr-only'>Skip to content</span>",
        ] {
            assert_eq!(read(&format!("{around}<div>{content}</div>"), Subject::Many).lines().count(), 3, "{around}");
        }
        let wrapped = format!("<div class='with-sidebar'><p>{}</p></div>", "Lines of the only text of this page. ".repeat(9));
        assert!(read(&wrapped, Subject::Many).contains("the only text"), "the larger part of a page is content");
        assert!(
            !read(&format!("<p>Free delivery</p>{content}"), Subject::Many).contains("Free"),
            "the heading opens the content"
        );
        let named = format!("<div class='search'>{content}</div><nav>Home</nav>");
        assert!(read(&named, Subject::Many).contains("eight tons"), "what holds the main heading is content");
    }

    #[test]
    fn a_name_that_hides_nearly_everything_does_not_count() {
        let card = |n| format!("<div><p class='cart-item'>Bow thruster {n} of eight tons, for barges on the Rhine.</p></div>");
        let cards: String = (0..8).map(card).collect();
        let page = format!("<h1>Thrusters</h1>{cards}<div class='cookies'>We use cookies.</div>");
        let text = read(&page, Subject::Many);
        assert_eq!(text.matches("eight tons").count(), 8);
        assert!(!text.contains("cookies"), "other names still count");
        let results =
            format!("<p>{}</p><ul class='search-results'>{cards}</ul>", "Thrusters of all sizes for barges. ".repeat(15));
        let results = results.replace("cart-item", "item");
        assert!(read(&results, Subject::Many).contains("eight tons"), "search results are content");
    }

    #[test]
    fn a_large_series_of_one_class_is_content() {
        let part = |n| format!("<div class='legal'>Paragraph {n}: the carrier answers for the goods.</div>");
        let parts: String = (0..6).map(part).collect();
        let page = format!("<h1>Terms</h1><p>{}</p>{parts}", "The terms of carriage on the Rhine. ".repeat(12));
        assert_eq!(read(&page, Subject::One).matches("the carrier answers").count(), 6);
    }

    #[test]
    fn rows_of_other_products_are_removed_from_the_page_of_one() {
        let offer = |n| format!("<li><a href='/p/{n}'><img src='{n}.jpg'>Stern thruster {n}</a> <b>$1{n}0.00</b></li>");
        let offers: String = (0..4).map(offer).collect();
        let text = "Pushes the bow of a barge sideways, up to eight tons, in any weather. ".repeat(4);
        let page = format!("<main><h1>Bow thruster</h1><p>{text}</p><p>$990.00</p><ul>{offers}</ul></main>");
        let read_one = read(&page, Subject::One);
        assert!(!read_one.contains("Stern") && read_one.contains("$990.00"), "{read_one}");
        assert!(read(&page, Subject::Many).contains("Stern"));
    }

    #[test]
    fn labels_of_many_cards_are_removed() {
        let card = |n: usize| {
            let facts: String = (0..9).map(|fact| format!("<p>Fact {n} {fact}</p>")).collect();
            format!("<div>{facts}<p>Add to cart</p><p>$990.00</p></div>")
        };
        let text = read(&format!("<h1>Thrusters</h1>{}", (0..4).map(card).collect::<String>()), Subject::Many);
        assert!(!text.contains("Add to cart") && text.contains("Fact 3 8"), "{text}");
        assert_eq!(text.matches("$990.00").count(), 4, "a price is a fact");
    }

    #[test]
    fn a_thread_is_its_posts_without_their_details() {
        let post = |n| {
            format!(
                "<div class='post'><div class='post-signature'>Skipper</div>\
                 <p>Barge {n} left the inner basin on Saturday, under tow.</p></div>"
            )
        };
        let page = format!("<p>Welcome to the forum of the port.</p>{}{}<p>Ranks: mate, skipper.</p>", post(1), post(2));
        let expected =
            "Barge 1 left the inner basin on Saturday, under tow.\n\nBarge 2 left the inner basin on Saturday, under tow.";
        assert_eq!(read(&page, Subject::Posts), expected);
    }

    #[test]
    fn sections_that_point_away_from_one_subject_are_removed() {
        let page = "<main><h1>Bow thruster</h1><p>Pushes the bow of a barge sideways, up to eight tons, in any weather.</p>\
            <section><h2>Related products</h2><p>Stern thruster</p></section></main>";
        assert!(!read(page, Subject::One).contains("Stern"));
        assert!(read(page, Subject::Many).contains("Stern"));
    }

    #[test]
    fn repeated_paragraphs_are_read_once() {
        let text = "<p>Pushes the bow of a barge sideways.</p>";
        assert_eq!(read(&format!("{text}<p>One</p>{text}<p>Two</p>"), Subject::Many).matches("sideways").count(), 1);
    }
}
