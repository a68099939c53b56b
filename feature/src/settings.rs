//! Settings of features: each has one section, `[features.NAME]`.

use crate::Feature;
use figment::Figment;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Settings as a value of any type.
type AnySettings = Arc<dyn Any + Send + Sync>;

/// Function that reads the section of a feature, given its name.
type ReadSettings = fn(&str, Value) -> Result<(TypeId, AnySettings), String>;

/// Type and check of the settings of a feature.
#[derive(Clone, Copy)]
pub struct SettingsPart {
    read: ReadSettings,
    check: fn(&Figment, &str) -> Result<(), Box<figment::Error>>,
}

impl SettingsPart {
    /// Settings of type `T`, whose fields have defaults. `problem` returns the first invalid one and how to fix it.
    pub const fn new<T: Settings>() -> Self {
        Self { read: read::<T>, check: check::<T> }
    }

    /// Checks keys and types of a section that exists; the error has their place.
    pub fn check(&self, figment: &Figment, section: &str) -> Result<(), Box<figment::Error>> {
        (self.check)(figment, section)
    }
}

/// Settings of a feature.
pub trait Settings: DeserializeOwned + Default + Send + Sync + 'static {
    /// Returns the first invalid setting, beginning with its key, and how to fix it.
    fn problem(&self) -> Option<String> {
        None
    }
}

fn check<T: Settings>(figment: &Figment, section: &str) -> Result<(), Box<figment::Error>> {
    figment.extract_inner::<T>(section).map(drop).map_err(|mut error| {
        // The path of the section follows that of the key in it.
        let parts = section.split('.').count().min(error.path.len());
        error.path.rotate_right(parts);
        Box::new(error)
    })
}

fn read<T: Settings>(name: &str, value: Value) -> Result<(TypeId, AnySettings), String> {
    let settings: T = match value {
        Value::Null => T::default(),
        value => serde_json::from_value(value).map_err(|error| format!("features.{name}: {error}"))?,
    };
    match settings.problem() {
        Some(problem) => Err(format!("features.{name}.{problem}")),
        None => Ok((TypeId::of::<T>(), Arc::new(settings))),
    }
}

/// Settings of all features by their type. A cheap clone.
#[derive(Clone, Default)]
pub struct FeatureSettings {
    by_type: Arc<HashMap<TypeId, AnySettings>>,
}

impl FeatureSettings {
    /// Reads the sections of `features`; an unknown section or an invalid value is an error that names it.
    pub fn read(features: &[Feature], sections: &BTreeMap<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = sections.keys().find(|name| features.iter().all(|feature| feature.name != name.as_str())) {
            let known: Vec<&str> = features.iter().map(|feature| feature.name).collect();
            return Err(format!("unknown section 'features.{unknown}'; known there: {}", known.join(", ")));
        }
        let mut by_type = HashMap::new();
        for feature in features {
            let section = sections.get(feature.name).cloned().unwrap_or_default();
            let (key, settings) = (feature.settings.read)(feature.name, section)?;
            by_type.insert(key, settings);
        }
        Ok(Self { by_type: Arc::new(by_type) })
    }

    /// Returns the settings of type `T`; the defaults where no feature has registered it.
    pub fn get<T: Settings>(&self) -> Arc<T> {
        let settings = self.by_type.get(&TypeId::of::<T>()).cloned();
        settings.and_then(|settings| settings.downcast().ok()).unwrap_or_default()
    }
}
