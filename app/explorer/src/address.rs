//! Address of the explorer: it holds everything that is shown, and the steps that can be undone.

use super::months::month_text;

/// Keys of the filter form without a visible field: what is expanded, hidden, pinned and sought.
const KEPT: [&str; 4] = ["seed", "hide", "pin", "to"];

/// Keys and values of the query, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address(Vec<(String, String)>);

impl Address {
    /// Reads a query, with or without its question mark.
    pub fn parse(query: &str) -> Self {
        Self(form_urlencoded::parse(query.trim_start_matches('?').as_bytes()).into_owned().collect())
    }

    /// Returns the query without its question mark.
    pub fn query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }

    /// Returns the first value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str())
    }

    /// Returns all values of a key.
    pub fn all(&self, key: &str) -> Vec<String> {
        self.0.iter().filter(|(other, _)| other == key).map(|(_, value)| value.clone()).collect()
    }

    /// Returns the hidden fields of the filter form with their values, as they are now.
    pub fn kept_fields(&self, seeds: &[String]) -> Vec<(&'static str, Vec<String>)> {
        let values = |key: &str| if key == "seed" && self.get(key).is_none() { seeds.to_vec() } else { self.all(key) };
        let fields = KEPT.map(|key| (key, values(key)));
        fields.into_iter().filter(|(key, values)| *key != "seed" || !values.is_empty()).collect()
    }

    /// Expands an entity, or collapses it. The only expanded entity stays: nothing is returned.
    pub fn toggle_seed(&self, seeds: &[String], id: &str) -> Option<Self> {
        let mut seeds = seeds.to_vec();
        if seeds.iter().any(|seed| seed == id) {
            seeds.retain(|seed| seed != id);
        } else {
            seeds.push(id.to_owned());
        }
        (!seeds.is_empty()).then(|| self.with_seeds(seeds))
    }

    /// Hides entities.
    pub fn hide(&self, ids: &[String]) -> Self {
        let mut address = self.clone();
        address.append("hide", ids);
        address
    }

    /// Pins entities, or releases them where each is pinned.
    pub fn toggle_pins(&self, ids: &[String]) -> Self {
        let pinned = self.all("pin");
        let mut address = self.clone();
        if ids.is_empty() {
            return address;
        }
        address.remove("pin");
        address.append("pin", &pinned.iter().filter(|id| !ids.contains(id)).cloned().collect::<Vec<_>>());
        if !ids.iter().all(|id| pinned.contains(id)) {
            address.append("pin", ids);
        }
        address
    }

    /// Asks for the paths between two entities; what is shown and filtered stays.
    pub fn with_path(&self, seeds: &[String], from: &str, to: &str) -> Self {
        let others = seeds.iter().filter(|seed| *seed != from).cloned();
        let mut address = self.with_seeds(std::iter::once(from.to_owned()).chain(others).collect());
        address.remove("target");
        address.remove("to");
        address.append("to", &[to.to_owned()]);
        address
    }

    /// Shows what was stated until a month; none: everything.
    pub fn until(&self, month: Option<i32>) -> Self {
        let mut address = self.clone();
        address.remove("until");
        if let Some(month) = month {
            address.append("until", &[month_text(month)]);
        }
        address
    }

    /// Writes the expanded entities, in place of the search that led to them.
    fn with_seeds(&self, seeds: Vec<String>) -> Self {
        let mut address = self.clone();
        for key in ["seed", "search", "assessment", "investigation"] {
            address.remove(key);
        }
        address.append("seed", &seeds);
        address
    }

    fn remove(&mut self, key: &str) {
        self.0.retain(|(other, _)| other != key);
    }

    fn append(&mut self, key: &str, values: &[String]) {
        self.0.extend(values.iter().map(|value| (key.to_owned(), value.clone())));
    }
}

/// The address with the ones before it, and those that were undone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressSteps {
    pub address: Address,
    done: Vec<Address>,
    undone: Vec<Address>,
}

impl AddressSteps {
    pub fn new(address: Address) -> Self {
        Self { address, ..Self::default() }
    }

    /// Goes to another address; returns false for the same one.
    pub fn go(&mut self, next: Address) -> bool {
        if next == self.address {
            return false;
        }
        self.done.push(std::mem::replace(&mut self.address, next));
        self.undone.clear();
        true
    }

    /// Goes back; returns false without a step.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.done.pop() else { return false };
        self.undone.push(std::mem::replace(&mut self.address, last));
        true
    }

    /// Repeats what was undone; returns false without a step.
    pub fn redo(&mut self) -> bool {
        let Some(next) = self.undone.pop() else { return false };
        self.done.push(std::mem::replace(&mut self.address, next));
        true
    }

    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn a_query_comes_back_as_it_was() {
        let query = "seed=a&seed=b&words=owns+5+%25&hide=c";
        assert_eq!(Address::parse(&format!("?{query}")).query(), query);
    }

    #[test]
    fn expanding_an_entity_replaces_the_search_that_led_to_the_seeds() {
        let address = Address::parse("search=Grevald&colour=kind");
        assert_eq!(address.toggle_seed(&ids(&["a"]), "b").unwrap().query(), "colour=kind&seed=a&seed=b");
        assert_eq!(address.toggle_seed(&ids(&["a", "b"]), "a").unwrap().query(), "colour=kind&seed=b");
        assert_eq!(address.toggle_seed(&ids(&["a"]), "a"), None);
    }

    #[test]
    fn pins_are_released_where_each_chosen_entity_has_one() {
        let address = Address::parse("pin=a&pin=b");
        assert_eq!(address.toggle_pins(&ids(&["b", "c"])).query(), "pin=a&pin=b&pin=c");
        assert_eq!(address.toggle_pins(&ids(&["a"])).query(), "pin=b");
        assert_eq!(address.toggle_pins(&[]), address);
    }

    #[test]
    fn a_path_begins_at_the_first_seed_and_drops_a_typed_name() {
        let address = Address::parse("seed=a&seed=b&target=Sandrel&claims=2&to=x");
        assert_eq!(address.with_path(&ids(&["a", "b"]), "b", "c").query(), "claims=2&seed=b&seed=a&to=c");
    }

    #[test]
    fn the_filter_form_sends_what_is_shown() {
        let address = Address::parse("search=Grevald&hide=c");
        let fields = address.kept_fields(&ids(&["a"]));
        assert_eq!(fields, [("seed", ids(&["a"])), ("hide", ids(&["c"])), ("pin", vec![]), ("to", vec![])]);
        assert_eq!(Address::parse("seed=b").kept_fields(&ids(&["a"]))[0], ("seed", ids(&["b"])));
        assert_eq!(address.kept_fields(&[])[0].0, "hide");
    }

    #[test]
    fn steps_are_undone_and_repeated() {
        let start = Address::parse("seed=a");
        let hidden = start.hide(&ids(&["b"]));
        let mut steps = AddressSteps::new(start.clone());
        assert!(!steps.go(start.clone()) && !steps.undo() && !steps.redo());
        assert!(steps.go(hidden.clone()) && steps.can_undo() && !steps.can_redo());
        assert!(steps.undo() && steps.address == start && steps.can_redo());
        assert!(steps.redo() && steps.address == hidden);
        assert!(steps.undo() && steps.go(start.until(Some(24_370))) && !steps.can_redo());
        assert_eq!(steps.address.query(), "seed=a&until=2030-11");
    }
}
